#include <charconv>
#include <cstdlib>

#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/parser.h"

namespace vitrine::engine::jinja {

namespace {

constexpr uint32_t kMaxDepth = 250;  ///< of an expression's tree
constexpr size_t kMaxNodes = 400'000;

}  // namespace

Expr* Parser::make(Op op, uint32_t line, std::initializer_list<const Expr*> parts) {
    if (program_->exprs.size() >= kMaxNodes) fail("the template is too long");
    Expr& node = program_->exprs.emplace_back();
    node.op = op;
    node.line = line;
    node.parts = parts;
    return &node;
}

/// Settles the depth of a node whose parts are complete.
const Expr* Parser::close(Expr* node) {
    uint32_t depth = 0;
    const auto look = [&](const Expr* part) {
        if (part != nullptr && part->depth > depth) depth = part->depth;
    };
    for (const Expr* part : node->parts) look(part);
    if (node->arguments) {
        for (const Expr* part : node->arguments->positional) look(part);
        for (const auto& [name, part] : node->arguments->named) look(part);
        look(node->arguments->more);
        look(node->arguments->moreNamed);
    }
    node->depth = depth + 1;
    if (node->depth > kMaxDepth) fail("the expression is nested too deeply", node->line);
    return node;
}

const Expr* Parser::parseExpression(bool withCondition) {
    const DepthGuard guard(*this);
    return withCondition ? parseCondition() : parseOr();
}

const Expr* Parser::parseCondition() {
    const DepthGuard guard(*this);
    const uint32_t line = current().line;
    const size_t nUnknown = unknown_.size();
    const Expr* node = parseOr();
    while (skipName("if")) {
        const Expr* test = parseOr();
        const Expr* otherwise = skipName("else") ? parseCondition() : nullptr;
        node = close(make(Op::Condition, line, {test, node, otherwise}));
        unknown_.resize(nUnknown);  // they fail where they are reached
    }
    return node;
}

const Expr* Parser::parseOr() {
    const Expr* left = parseAnd();
    while (isName("or")) {
        const uint32_t line = current().line;
        next();
        left = close(make(Op::Or, line, {left, parseAnd()}));
    }
    return left;
}

const Expr* Parser::parseAnd() {
    const Expr* left = parseNot();
    while (isName("and")) {
        const uint32_t line = current().line;
        next();
        left = close(make(Op::And, line, {left, parseNot()}));
    }
    return left;
}

const Expr* Parser::parseNot() {
    if (!isName("not")) return parseCompare();
    const DepthGuard guard(*this);
    const uint32_t line = current().line;
    next();
    return close(make(Op::Not, line, {parseNot()}));
}

const Expr* Parser::parseCompare() {
    static constexpr std::pair<std::string_view, CompareOp> kOps[] = {
        {"==", CompareOp::Equal},     {"!=", CompareOp::NotEqual}, {"<", CompareOp::Less},
        {"<=", CompareOp::LessEqual}, {">", CompareOp::Greater},   {">=", CompareOp::GreaterEqual}};
    const Expr* first = parseSum();
    Expr* node = nullptr;
    const auto add = [&](CompareOp op) {
        if (node == nullptr) node = make(Op::Compare, current().line, {first});
        node->compares.push_back(op);
        node->parts.push_back(parseSum());
    };
    for (bool found = true; found;) {
        found = false;
        for (const auto& [text, op] : kOps) {
            if (!skipOp(text)) continue;
            add(op);
            found = true;
            break;
        }
        if (found) continue;
        if (skipName("in")) {
            add(CompareOp::In);
            found = true;
        } else if (isName("not") && following().kind == TokenKind::Name &&
                   following().text == "in") {
            next();
            next();
            add(CompareOp::NotIn);
            found = true;
        }
    }
    return node == nullptr ? first : close(node);
}

const Expr* Parser::parseSum() {
    const Expr* left = parseConcat();
    while (isOp("+") || isOp("-")) {
        const Op op = isOp("+") ? Op::Add : Op::Subtract;
        const uint32_t line = current().line;
        next();
        left = close(make(op, line, {left, parseConcat()}));
    }
    return left;
}

const Expr* Parser::parseConcat() {
    const Expr* first = parseProduct();
    if (!isOp("~")) return first;
    Expr* node = make(Op::Concat, current().line, {first});
    while (skipOp("~")) node->parts.push_back(parseProduct());
    return close(node);
}

const Expr* Parser::parseProduct() {
    static constexpr std::pair<std::string_view, Op> kOps[] = {
        {"*", Op::Multiply}, {"/", Op::Divide}, {"//", Op::FloorDivide}, {"%", Op::Modulo}};
    const Expr* left = parsePower();
    for (bool found = true; found;) {
        found = false;
        for (const auto& [text, op] : kOps) {
            if (!isOp(text)) continue;
            const uint32_t line = current().line;
            next();
            left = close(make(op, line, {left, parsePower()}));
            found = true;
            break;
        }
    }
    return left;
}

const Expr* Parser::parsePower() {
    const Expr* left = parseUnary();
    while (isOp("**")) {
        const uint32_t line = current().line;
        next();
        left = close(make(Op::Power, line, {left, parseUnary()}));
    }
    return left;
}

const Expr* Parser::parseUnary(bool withFilter) {
    const DepthGuard guard(*this);
    const uint32_t line = current().line;
    const Expr* node = nullptr;
    if (skipOp("-"))
        node = close(make(Op::Negate, line, {parseUnary(false)}));
    else if (skipOp("+"))
        node = close(make(Op::Plus, line, {parseUnary(false)}));
    else
        node = parsePrimary();
    node = parsePostfix(node);
    return withFilter ? parseFilters(node) : node;
}

const Expr* Parser::parseName(bool withNamespace) {
    const uint32_t line = current().line;
    const std::string name = current().text;
    next();
    Expr* node = make(Op::Constant, line);
    if (name == "true" || name == "True" || name == "false" || name == "False") {
        node->constant = Value::boolean(name[0] == 't' || name[0] == 'T');
    } else if (name == "none" || name == "None") {
        node->constant = Value::none();
    } else {
        node->op = Op::Name;
        node->name = name;
        node->symbol = symbolOf(name);
        if (withNamespace && skipOp(".")) {
            node->op = Op::NamespaceMember;
            node->constant = Value::string(expectName(), false);
        }
        for (Stmt* macro : macros_) {
            macro->usesCaller |= name == "caller";
            macro->usesKwargs |= name == "kwargs";
            macro->usesVarargs |= name == "varargs";
        }
    }
    return node;
}

const Expr* Parser::parseNumber() {
    const Token& token = current();
    Expr* node = make(Op::Constant, token.line);
    const std::string& text = token.text;
    if (token.kind == TokenKind::Float) {
        node->constant = Value::number(std::strtod(text.c_str(), nullptr));
    } else {
        const char mark = text.size() > 2 ? static_cast<char>(text[1] | 0x20) : '\0';
        const int base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
        const char* begin = text.data() + (base == 10 ? 0 : 2);
        int64_t value = 0;
        const auto read = std::from_chars(begin, text.data() + text.size(), value, base);
        if (read.ec != std::errc()) fail("the number " + text.substr(0, 30) + " is too large");
        node->constant = Value::integer(value);
    }
    next();
    return node;
}

const Expr* Parser::parsePrimary(bool withNamespace) {
    const Token& token = current();
    const uint32_t line = token.line;
    if (token.kind == TokenKind::Name) return parseName(withNamespace);
    if (token.kind == TokenKind::Integer || token.kind == TokenKind::Float) return parseNumber();
    if (token.kind == TokenKind::String) {
        std::string text;
        for (; current().kind == TokenKind::String; next()) text += current().text;
        Expr* node = make(Op::Constant, line);
        node->constant = Value::string(text, false);
        return node;
    }
    if (skipOp("(")) {
        const Expr* node = parseTuple(false, true, {}, true);
        expectOp(")");
        return node;
    }
    if (isOp("[")) return parseList();
    if (isOp("{")) return parseDict();
    fail("unexpected " + describe(token));
    return make(Op::Constant, line);
}

const Expr* Parser::parseTuple(bool isSimple, bool withCondition, std::string_view endWord,
                               bool hasBrackets, bool withNamespace) {
    const uint32_t line = current().line;
    std::vector<const Expr*> parts;
    bool isTuple = false;
    for (;;) {
        if (!parts.empty()) expectOp(",");
        if (current().kind == TokenKind::VariableEnd || current().kind == TokenKind::BlockEnd ||
            isOp(")") || (!endWord.empty() && isName(endWord)) || isFailed_)
            break;
        parts.push_back(isSimple ? parsePrimary(withNamespace) : parseExpression(withCondition));
        if (!isOp(",")) break;
        isTuple = true;
    }
    if (!isTuple && !parts.empty()) return parts[0];
    if (!isTuple && !hasBrackets) fail("expected an expression, got " + describe(current()));
    Expr* node = make(Op::Tuple, line);
    node->parts = std::move(parts);
    return close(node);
}

const Expr* Parser::parseList() {
    Expr* node = make(Op::List, current().line);
    expectOp("[");
    while (!isOp("]") && !isFailed_) {
        if (!node->parts.empty()) expectOp(",");
        if (isOp("]")) break;
        node->parts.push_back(parseExpression());
    }
    expectOp("]");
    return close(node);
}

const Expr* Parser::parseDict() {
    Expr* node = make(Op::Dict, current().line);
    expectOp("{");
    while (!isOp("}") && !isFailed_) {
        if (!node->parts.empty()) expectOp(",");
        if (isOp("}")) break;
        node->parts.push_back(parseExpression());
        expectOp(":");
        node->parts.push_back(parseExpression());
    }
    expectOp("}");
    return close(node);
}

Target Parser::targetOf(const Expr* node) {
    Target target;
    target.op = node->op;
    target.symbol = node->symbol;
    if (node->op == Op::NamespaceMember) {
        target.member = node->constant.asText().bytes();
    } else if (node->op == Op::Tuple) {
        for (const Expr* part : node->parts) target.parts.push_back(targetOf(part));
    } else if (node->op != Op::Name) {
        fail("this cannot be assigned to", node->line);
    }
    return target;
}

Target Parser::parseTarget(std::string_view endWord, bool withNamespace) {
    return targetOf(parseTuple(true, true, endWord, false, withNamespace));
}

}  // namespace vitrine::engine::jinja
