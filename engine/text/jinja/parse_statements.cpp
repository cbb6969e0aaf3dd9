#include <algorithm>

#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/parser.h"

namespace vitrine::engine::jinja {

namespace {

constexpr int kMaxNesting = 220;  ///< of brackets and blocks: each level takes several stack frames

}  // namespace

DepthGuard::DepthGuard(Parser& p) : parser(p) {
    if (++parser.depth_ > kMaxNesting) parser.fail("the template is nested too deeply");
}

DepthGuard::~DepthGuard() {
    --parser.depth_;
}

Parser::Parser(std::vector<Token> tokens)
    : tokens_(std::move(tokens)), program_(std::make_unique<Program>()) {}

Result<std::unique_ptr<Program>> Parser::run() {
    program_->loopSymbol = symbolOf("loop");
    program_->callerSymbol = symbolOf("caller");
    program_->kwargsSymbol = symbolOf("kwargs");
    program_->varargsSymbol = symbolOf("varargs");
    const Frame frame = enterFrame(true);
    program_->body = parseBody({});
    leave(frame);
    if (isFailed_) return error_;
    return std::move(program_);
}

Result<std::unique_ptr<Program>> parseTemplate(std::string_view source) {
    auto tokens = tokenize(source);
    if (!tokens) return std::move(tokens).error();
    return Parser(std::move(*tokens)).run();
}

uint32_t Parser::symbolOf(const std::string& name) {
    const auto [it, isNew] =
        symbols_.emplace(name, static_cast<uint32_t>(program_->symbols.size()));
    if (isNew) program_->symbols.push_back(name);
    return it->second;
}

Stmt* Parser::make(StmtKind kind) {
    Stmt& stmt = program_->stmts.emplace_back();
    stmt.kind = kind;
    stmt.line = current().line;
    return &stmt;
}

Parser::Frame Parser::enterFrame(bool isFunction) {
    const Frame outer{unknown_.size(), loopDepth_};
    if (isFunction) loopDepth_ = 0;
    return outer;
}

void Parser::leave(const Frame& frame) {
    if (unknown_.size() > frame.nUnknown)
        fail(unknown_[frame.nUnknown].what, unknown_[frame.nUnknown].line);
    loopDepth_ = frame.loopDepth;
}

void Parser::unknownTag(const std::string& name) {
    std::string message =
        name.empty() ? "Unexpected end of template." : "Encountered unknown tag '" + name + "'.";
    if (!expectedEnds_.empty()) {
        message += " Jinja was looking for the following tags: ";
        for (size_t i = 0; i < expectedEnds_.back().size(); ++i)
            message += (i == 0 ? "'" : " or '") + expectedEnds_.back()[i] + "'";
        message += ".";
    }
    if (!openTags_.empty())
        message += " The innermost block that needs to be closed is '" + openTags_.back() + "'.";
    fail(message);
}

/// Statements up to one of `ends`, which stays the current token.
Body Parser::parseBody(std::initializer_list<std::string_view> ends) {
    const DepthGuard guard(*this);
    Body body;
    if (ends.size() != 0) expectedEnds_.emplace_back(ends.begin(), ends.end());
    while (!isFailed_ && current().kind != TokenKind::End) {
        if (current().kind == TokenKind::Data) {
            Stmt* data = make(StmtKind::Data);
            data->text = Value::string(current().text, false);
            body.push_back(data);
            next();
        } else if (current().kind == TokenKind::VariableBegin) {
            next();
            Stmt* print = make(StmtKind::Print);
            print->expr = parseTuple(false, true, {}, false);
            expectKind(TokenKind::VariableEnd);
            body.push_back(print);
        } else {
            next();
            if (std::any_of(ends.begin(), ends.end(),
                            [&](std::string_view end) { return isName(end); }))
                break;
            if (const Stmt* stmt = parseStatement()) body.push_back(stmt);
            expectKind(TokenKind::BlockEnd);
        }
    }
    if (ends.size() != 0) {
        if (!isFailed_ && current().kind == TokenKind::End) unknownTag({});
        expectedEnds_.pop_back();
    }
    return body;
}

Body Parser::parseBlockBody(std::initializer_list<std::string_view> ends, bool dropEnd) {
    skipOp(":");
    expectKind(TokenKind::BlockEnd);
    Body body = parseBody(ends);
    if (dropEnd) next();
    return body;
}

Stmt* Parser::parseStatement() {
    if (current().kind != TokenKind::Name) {
        fail("tag name expected");
        return nullptr;
    }
    const std::string word = current().text;
    const auto parsed = [&](auto parse) {
        openTags_.push_back(word);
        Stmt* stmt = (this->*parse)();
        openTags_.pop_back();
        return stmt;
    };
    if (word == "set") return parsed(&Parser::parseSet);
    if (word == "for") return parsed(&Parser::parseFor);
    if (word == "if") return parsed(&Parser::parseIf);
    if (word == "with") return parsed(&Parser::parseWith);
    if (word == "macro") return parsed(&Parser::parseMacro);
    if (word == "call") return parsed(&Parser::parseCallBlock);
    if (word == "filter") return parsed(&Parser::parseFilterBlock);
    if (word == "generation") return parsed(&Parser::parseGeneration);
    if (word == "block") return parsed(&Parser::parseBlock);
    if (word == "autoescape") return parsed(&Parser::parseAutoescape);
    if (word == "print") return parsed(&Parser::parsePrint);
    if (word == "include" || word == "import" || word == "extends" || word == "from")
        return parseLoad(word);
    if (word == "break" || word == "continue") {
        Stmt* stmt = make(word == "break" ? StmtKind::Break : StmtKind::Continue);
        if (loopDepth_ == 0) fail("'" + word + "' outside loop");
        next();
        return stmt;
    }
    unknownTag(word);
    return nullptr;
}

Stmt* Parser::parseSet() {
    Stmt* stmt = make(StmtKind::Set);
    next();
    stmt->targets.push_back(parseTarget({}, true));
    if (skipOp("=")) {
        stmt->expr = parseTuple(false, true, {}, false);
        return stmt;
    }
    stmt->kind = StmtKind::SetBlock;
    while (skipOp("|")) stmt->expr = parseFilter(stmt->expr);
    const Frame frame = enterFrame(false);
    stmt->body = parseBlockBody({"endset"}, true);
    leave(frame);
    return stmt;
}

Stmt* Parser::parseFor() {
    Stmt* stmt = make(StmtKind::For);
    next();
    const uint32_t nameLine = current().line;
    stmt->targets.push_back(parseTarget("in", false));
    const auto usesLoop = [&](const auto& self, const Target& target) -> bool {
        return (target.op == Op::Name && target.symbol == program_->loopSymbol) ||
               std::any_of(target.parts.begin(), target.parts.end(),
                           [&](const Target& part) { return self(self, part); });
    };
    if (usesLoop(usesLoop, stmt->targets[0]))
        fail("Can't assign to special loop variable in for-loop target", nameLine);
    if (!skipName("in")) fail("expected token 'in', got " + describe(current()));
    stmt->expr = parseTuple(false, false, "recursive", false);
    const Frame frame = enterFrame(false);
    if (skipName("if")) stmt->test = parseExpression();
    stmt->isRecursive = skipName("recursive");
    ++loopDepth_;
    stmt->body = parseBlockBody({"endfor", "else"}, false);
    --loopDepth_;
    if (skipName("else"))
        stmt->otherwise = parseBlockBody({"endfor"}, true);
    else
        next();
    leave(frame);
    return stmt;
}

Stmt* Parser::parseIf() {
    Stmt* stmt = make(StmtKind::If);
    next();
    const size_t nUnknown = unknown_.size();
    for (;;) {
        stmt->values.push_back(parseTuple(false, false, {}, false));
        stmt->bodies.push_back(parseBlockBody({"elif", "else", "endif"}, false));
        if (!skipName("elif")) break;
    }
    if (skipName("else"))
        stmt->otherwise = parseBlockBody({"endif"}, true);
    else
        next();
    unknown_.resize(std::min(unknown_.size(), nUnknown));  // they fail where they are reached
    return stmt;
}

Stmt* Parser::parseWith() {
    Stmt* stmt = make(StmtKind::With);
    next();
    while (current().kind != TokenKind::BlockEnd && !isFailed_) {
        if (!stmt->targets.empty()) expectOp(",");
        stmt->targets.push_back(parseTarget({}, false));
        expectOp("=");
        stmt->values.push_back(parseExpression());
    }
    const Frame frame = enterFrame(false);
    stmt->body = parseBlockBody({"endwith"}, true);
    leave(frame);
    return stmt;
}

void Parser::parseSignature(Stmt& stmt) {
    expectOp("(");
    while (!isOp(")") && !isFailed_) {
        if (!stmt.parameters.empty()) expectOp(",");
        Parameter parameter;
        parameter.name = expectName();
        parameter.symbol = symbolOf(parameter.name);
        if (skipOp("="))
            parameter.fallback = parseExpression();
        else if (!stmt.parameters.empty() && stmt.parameters.back().fallback != nullptr)
            fail("non-default argument follows default argument");
        stmt.parameters.push_back(std::move(parameter));
    }
    expectOp(")");
}

Stmt* Parser::parseMacro() {
    Stmt* stmt = make(StmtKind::Macro);
    next();
    stmt->name = expectName();
    stmt->symbol = symbolOf(stmt->name);
    const Frame frame = enterFrame(true);
    macros_.push_back(stmt);
    parseSignature(*stmt);
    stmt->body = parseBlockBody({"endmacro"}, true);
    macros_.pop_back();
    leave(frame);
    return stmt;
}

Stmt* Parser::parseCallBlock() {
    Stmt* stmt = make(StmtKind::CallBlock);
    next();
    const Frame frame = enterFrame(true);
    macros_.push_back(stmt);
    if (isOp("(")) parseSignature(*stmt);
    stmt->expr = parseExpression();
    if (stmt->expr->op != Op::Call) fail("expected call", stmt->line);
    stmt->body = parseBlockBody({"endcall"}, true);
    macros_.pop_back();
    leave(frame);
    return stmt;
}

Stmt* Parser::parseFilterBlock() {
    Stmt* stmt = make(StmtKind::FilterBlock);
    next();
    do stmt->expr = parseFilter(stmt->expr);
    while (skipOp("|"));
    const Frame frame = enterFrame(false);
    stmt->body = parseBlockBody({"endfilter"}, true);
    leave(frame);
    return stmt;
}

/// The assistant's words, marked for training; a renderer writes them as they are.
Stmt* Parser::parseGeneration() {
    Stmt* stmt = make(StmtKind::Generation);
    next();
    const Frame frame = enterFrame(true);
    stmt->body = parseBlockBody({"endgeneration"}, true);
    leave(frame);
    return stmt;
}

Stmt* Parser::parseBlock() {
    Stmt* stmt = make(StmtKind::Block);
    next();
    stmt->name = expectName();
    stmt->isScoped = skipName("scoped");
    stmt->isRequired = skipName("required");
    if (!program_->blocks.emplace(stmt->name, stmt).second)
        fail("block '" + stmt->name + "' defined twice");
    const Frame frame = enterFrame(true);
    stmt->body = parseBlockBody({"endblock"}, true);
    leave(frame);
    for (const Stmt* inner : stmt->body) {
        if (!stmt->isRequired) break;
        const bool isBlank = inner->kind == StmtKind::Data &&
                             strippedSpan(inner->text.asText().bytes(), true, false).from ==
                                 inner->text.asText().size();
        if (!isBlank) fail("Required blocks can only contain comments or whitespace");
    }
    skipName(stmt->name);
    return stmt;
}

Stmt* Parser::parseAutoescape() {
    Stmt* stmt = make(StmtKind::Autoescape);
    next();
    stmt->expr = parseExpression();
    const Frame frame = enterFrame(false);
    stmt->body = parseBlockBody({"endautoescape"}, true);
    leave(frame);
    return stmt;
}

/// {% print a, b %}: each after the other, which is a With that has no names.
Stmt* Parser::parsePrint() {
    Stmt* stmt = make(StmtKind::Autoescape);
    next();
    while (current().kind != TokenKind::BlockEnd && !isFailed_) {
        if (!stmt->body.empty()) expectOp(",");
        Stmt* print = make(StmtKind::Print);
        print->expr = parseExpression();
        stmt->body.push_back(print);
    }
    return stmt;
}

void Parser::parseContextWord() {
    if ((isName("with") || isName("without")) && following().kind == TokenKind::Name &&
        following().text == "context") {
        next();
        next();
    }
}

void Parser::parseImportNames() {
    for (bool isFirst = true; !isFailed_; isFirst = false) {
        if (!isFirst && !skipOp(",")) return;
        parseContextWord();
        if (current().kind == TokenKind::BlockEnd) return;
        expectName();
        if (skipName("as")) expectName();
        parseContextWord();
    }
}

Stmt* Parser::parseLoad(const std::string& word) {
    Stmt* stmt = make(StmtKind::Load);
    stmt->name = word;
    next();
    stmt->expr = parseExpression();
    if (word == "import" || word == "from") {
        if (!skipName(word == "from" ? "import" : "as"))
            fail("expected token '" + std::string(word == "from" ? "import" : "as") + "', got " +
                 describe(current()));
        if (word == "from") {
            parseImportNames();
            return stmt;
        }
        expectName();
    }
    if (word == "include" && skipName("ignore")) skipName("missing");
    if (word != "extends") parseContextWord();
    return stmt;
}

}  // namespace vitrine::engine::jinja
