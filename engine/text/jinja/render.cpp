#include <algorithm>

#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/renderer.h"

namespace vitrine::engine::jinja {

namespace {

constexpr int kMaxDepth = 1500;  ///< nested calls, loops and operators; 1 MiB of stack at most
constexpr uint64_t kStepsPerCheck = 20'000;
constexpr auto kMaxTime = std::chrono::milliseconds(1000);

}  // namespace

Renderer::Renderer(const Program& program, const Value& context, const RenderOptions& options)
    : program_(program),
      options_(options),
      nextCheck_(kStepsPerCheck),
      deadline_(std::chrono::steady_clock::now() + kMaxTime),
      variables_(program.symbols.size()),
      hasVariable_(program.symbols.size()) {
    for (size_t i = 0; i < program.symbols.size(); ++i) {
        const Value* value = context.asDict().find(Value::string(program.symbols[i], false));
        if (value == nullptr) continue;
        variables_[i] = *value;
        hasVariable_[i] = true;
    }
    root_ = scope_ = Value::object(Kind::Native, new Scope({}));
}

Result<std::vector<PromptSegment>> Renderer::run() {
    Builder out(*this);
    out_ = &out;
    execute(program_.body);
    if (isFailed_) return std::move(error_);
    std::vector<PromptSegment> segments;
    out.text().forEachRun([&](size_t from, size_t to, bool isInput) {
        segments.push_back({out.text().bytes().substr(from, to - from), !isInput});
    });
    return segments;
}

Value Renderer::fail(std::string what, Errc code) {
    if (isFailed_) return {};
    isFailed_ = true;
    error_ = makeError(code, "line " + std::to_string(line_) + ": " + std::move(what));
    return {};
}

bool Renderer::checkClock() {
    nextCheck_ = steps_ + kStepsPerCheck;
    if (steps_ > options_.maxSteps || std::chrono::steady_clock::now() > deadline_)
        fail("the template does too much work");
    return !isFailed_;
}

bool Renderer::room(uint64_t nBytes) {
    if (nBytes <= options_.maxBytes && meter_.liveBytes + nBytes <= options_.maxBytes)
        return tick(1 + nBytes / 256);
    fail("the template needs too much memory", Errc::OutOfMemory);
    return false;
}

void Renderer::charge(size_t nBytes) {
    meter_.liveBytes += nBytes;
    room(0);
}

Renderer::Depth::Depth(Renderer& r) : renderer(r) {
    if (++r.depth_ > kMaxDepth) r.fail("the template calls itself too deeply");
}

// ---- scopes ----

Scope::Scope(Value outer) : parent(std::move(outer)) {
    account(sizeof(*this));
}

void Scope::clear() noexcept {
    variables.clear();
    parent = {};
}

void Scope::set(uint32_t symbol, Value value) {
    for (auto& [known, old] : variables) {
        if (known != symbol) continue;
        old = std::move(value);
        return;
    }
    variables.emplace_back(symbol, std::move(value));
    account(sizeof(*this) + variables.capacity() * sizeof(variables[0]));
}

// ---- statements ----

Flow Renderer::execute(const Body& body) {
    for (const Stmt* stmt : body) {
        const Flow flow = execute(*stmt);
        if (flow != Flow::Normal) return flow;
        if (isFailed_) break;
    }
    return Flow::Normal;
}

Flow Renderer::execute(const Stmt& stmt) {
    const Depth depth(*this);
    line_ = stmt.line;
    if (!tick()) return Flow::Normal;
    switch (stmt.kind) {
        case StmtKind::Data: out_->append(stmt.text.asText()); break;
        case StmtKind::Print: print(evaluate(*stmt.expr)); break;
        case StmtKind::Set: assign(stmt.targets[0], evaluate(*stmt.expr)); break;
        case StmtKind::SetBlock: return executeSetBlock(stmt);
        case StmtKind::For: return executeFor(stmt, evaluate(*stmt.expr), 0);
        case StmtKind::If: return executeIf(stmt);
        case StmtKind::With: return executeWith(stmt);
        case StmtKind::Macro: scope().set(stmt.symbol, makeMacro(stmt, scope_, false)); break;
        case StmtKind::CallBlock: executeCallBlock(stmt); break;
        case StmtKind::FilterBlock: return executeFilterBlock(stmt);
        case StmtKind::Generation: {
            Value output;
            capture(stmt.body, true, output);
            print(output);
            break;
        }
        case StmtKind::Block: return executeBlock(stmt, stmt.isScoped ? scope_ : root_);
        case StmtKind::Autoescape: {
            const bool was = autoescape_;
            if (stmt.expr != nullptr) autoescape_ = truth(evaluate(*stmt.expr));
            const Flow flow = stmt.expr != nullptr ? executeScoped(stmt.body) : execute(stmt.body);
            autoescape_ = was;
            return flow;
        }
        case StmtKind::Break: return Flow::Break;
        case StmtKind::Continue: return Flow::Continue;
        case StmtKind::Load:
            fail("{% " + stmt.name + " %} asks for another template, and there is none to load");
            break;
    }
    return Flow::Normal;
}

void Renderer::print(const Value& value) {
    if (isFailed_) return;
    if (autoescape_)
        out_->appendHtml(str(value));
    else
        writeStr(*out_, value);
}

void Renderer::assign(const Target& target, const Value& value) {
    if (isFailed_) return;
    if (target.op == Op::Name) {
        scope().set(target.symbol, value);
    } else if (target.op == Op::NamespaceMember) {
        const Value space = lookUp(target.symbol, program_.symbols[target.symbol]);
        if (!isNamespace(space))
            fail("cannot assign attribute on non-namespace object");
        else
            setNamespaceMember(*this, space, target.member, value);
    } else {
        const Items items(*this, value);
        if (!items.isValid) return;
        const size_t n = target.parts.size();
        if (items.size() > n) {
            fail("too many values to unpack (expected " + std::to_string(n) + ")");
        } else if (items.size() < n) {
            fail("not enough values to unpack (expected " + std::to_string(n) + ", got " +
                 std::to_string(items.size()) + ")");
        } else {
            for (size_t i = 0; i < n; ++i) assign(target.parts[i], items.at(i));
        }
    }
}

Flow Renderer::executeIf(const Stmt& stmt) {
    for (size_t i = 0; i < stmt.values.size(); ++i) {
        const bool isMet = truth(evaluate(*stmt.values[i]));
        if (isFailed_) return Flow::Normal;
        if (isMet) return execute(stmt.bodies[i]);
    }
    return execute(stmt.otherwise);
}

Flow Renderer::executeScoped(const Body& body) {
    const Value outer = scope_;
    scope_ = Value::object(Kind::Native, new Scope(outer));
    const Flow flow = execute(body);
    scope_ = outer;
    return flow;
}

Flow Renderer::capture(const Body& body, bool hasOwnScope, Value& output) {
    Builder builder(*this);
    Builder* const outer = out_;
    out_ = &builder;
    const Flow flow = hasOwnScope ? executeScoped(body) : execute(body);
    out_ = outer;
    Text text = builder.take();
    text.isSafe = autoescape_;
    output = Value::text(std::move(text));
    return flow;
}

Flow Renderer::executeSetBlock(const Stmt& stmt) {
    Value output;
    const Flow flow = capture(stmt.body, true, output);
    if (flow != Flow::Normal || isFailed_) return flow;
    assign(stmt.targets[0], stmt.expr != nullptr ? evaluateFilter(*stmt.expr, &output) : output);
    return flow;
}

Flow Renderer::executeFilterBlock(const Stmt& stmt) {
    Value output;
    const Flow flow = capture(stmt.body, true, output);
    if (flow == Flow::Normal && !isFailed_) print(evaluateFilter(*stmt.expr, &output));
    return flow;
}

Flow Renderer::executeBlock(const Stmt& stmt, const Value& outer) {
    if (stmt.isRequired) {
        fail("Required block '" + stmt.name + "' not found");
        return Flow::Normal;
    }
    const Value was = scope_;
    scope_ = Value::object(Kind::Native, new Scope(outer));
    execute(stmt.body);
    scope_ = was;
    return Flow::Normal;
}

Flow Renderer::executeWith(const Stmt& stmt) {
    std::vector<Value> values;
    for (const Expr* value : stmt.values) values.push_back(evaluate(*value));
    const Value outer = scope_;
    scope_ = Value::object(Kind::Native, new Scope(outer));
    for (size_t i = 0; i < values.size(); ++i) assign(stmt.targets[i], values[i]);
    const Flow flow = execute(stmt.body);
    scope_ = outer;
    return flow;
}

void Renderer::executeCallBlock(const Stmt& stmt) {
    const Value caller = makeMacro(stmt, scope_, true);
    print(evaluateCall(*stmt.expr, &caller));
}

Value Renderer::callBlock(const Stmt& block) {
    Builder builder(*this);
    Builder* const outer = out_;
    out_ = &builder;
    executeBlock(block, root_);
    out_ = outer;
    return builder.value();
}

}  // namespace vitrine::engine::jinja
