#include "engine/text/jinja/filters.h"
#include "engine/text/jinja/parser.h"

namespace vitrine::engine::jinja {

Error syntaxError(uint32_t line, const std::string& what) {
    return makeError(Errc::Format, "line " + std::to_string(line) + ": " + what);
}

const Expr* Parser::parsePostfix(const Expr* node) {
    while (!isFailed_) {
        if (isOp(".") || isOp("["))
            node = parseSubscript(node);
        else if (isOp("("))
            node = parseCall(node);
        else
            break;
    }
    return node;
}

const Expr* Parser::parseFilters(const Expr* node) {
    while (!isFailed_) {
        if (skipOp("|"))
            node = parseFilter(node);
        else if (isName("is"))
            node = parseTest(node);
        else if (isOp("("))
            node = parseCall(node);
        else
            break;
    }
    return node;
}

const Expr* Parser::parseSubscript(const Expr* node) {
    const uint32_t line = current().line;
    if (skipOp(".")) {
        if (current().kind == TokenKind::Integer)
            return close(make(Op::Item, line, {node, parseNumber()}));
        Expr* attribute = make(Op::Attribute, line, {node});
        attribute->name = expectName();
        attribute->constant = Value::string(attribute->name, false);
        return close(attribute);
    }
    expectOp("[");
    std::vector<const Expr*> parts;
    Expr* slice = nullptr;
    while (!isOp("]") && !isFailed_) {
        if (!parts.empty()) expectOp(",");
        const Expr* start = isOp(":") ? nullptr : parseExpression();
        parts.push_back(start);
        if (!isOp(":")) continue;
        slice = make(Op::Slice, line, {node, start, nullptr, nullptr});
        for (size_t i = 2; i < 4 && skipOp(":"); ++i)
            if (!isOp(":") && !isOp("]") && !isOp(",")) slice->parts[i] = parseExpression();
    }
    expectOp("]");
    if (slice != nullptr) {
        if (parts.size() != 1) fail("a slice cannot be one of several subscripts", line);
        return close(slice);
    }
    if (parts.size() == 1) return close(make(Op::Item, line, {node, parts[0]}));
    Expr* tuple = make(Op::Tuple, line);
    tuple->parts = std::move(parts);
    return close(make(Op::Item, line, {node, close(tuple)}));
}

std::unique_ptr<CallArguments> Parser::parseArguments() {
    auto arguments = std::make_unique<CallArguments>();
    const uint32_t line = current().line;
    expectOp("(");
    const auto ensure = [&](bool isRight) {
        if (!isRight) fail("invalid syntax for function call expression", line);
    };
    for (bool isFirst = true; !isOp(")") && !isFailed_; isFirst = false) {
        if (!isFirst) {
            expectOp(",");
            if (isOp(")")) break;
        }
        if (skipOp("*")) {
            ensure(arguments->more == nullptr && arguments->moreNamed == nullptr);
            arguments->more = parseExpression();
        } else if (skipOp("**")) {
            ensure(arguments->moreNamed == nullptr);
            arguments->moreNamed = parseExpression();
        } else if (current().kind == TokenKind::Name && following().kind == TokenKind::Operator &&
                   following().text == "=") {
            ensure(arguments->moreNamed == nullptr);
            std::string name = current().text;
            for (const auto& [known, value] : arguments->named)
                if (known == name) fail("the argument " + name + " is given twice");
            next();
            next();
            arguments->named.emplace_back(std::move(name), parseExpression());
        } else {
            ensure(arguments->more == nullptr && arguments->moreNamed == nullptr &&
                   arguments->named.empty());
            arguments->positional.push_back(parseExpression());
        }
    }
    expectOp(")");
    return arguments;
}

const Expr* Parser::parseCall(const Expr* node) {
    Expr* call = make(Op::Call, current().line, {node});
    call->arguments = parseArguments();
    return close(call);
}

/// Behind the bar. `node` is null at the head of a filter block.
const Expr* Parser::parseFilter(const Expr* node) {
    Expr* filter = make(Op::Filter, current().line, {node});
    filter->name = expectName();
    while (skipOp(".")) filter->name += "." + expectName();
    filter->filter = findFilter(filter->name);
    if (filter->filter == nullptr && !isFailed_)
        unknown_.push_back({"No filter named '" + filter->name + "'.", filter->line});
    filter->arguments = isOp("(") ? parseArguments() : std::make_unique<CallArguments>();
    return close(filter);
}

const Expr* Parser::parseTest(const Expr* node) {
    const uint32_t line = current().line;
    next();
    const bool isNegated = skipName("not");
    Expr* test = make(Op::Test, line, {node});
    test->name = expectName();
    while (skipOp(".")) test->name += "." + expectName();
    test->test = findTest(test->name);
    if (test->test == nullptr && !isFailed_)
        unknown_.push_back({"No test named '" + test->name + "'.", line});
    const TokenKind kind = current().kind;
    const bool isWord =
        kind == TokenKind::Name && !isName("else") && !isName("or") && !isName("and");
    if (isOp("(")) {
        test->arguments = parseArguments();
    } else {
        test->arguments = std::make_unique<CallArguments>();
        if (isName("is")) fail("You cannot chain multiple tests with is");
        if (isWord || kind == TokenKind::String || kind == TokenKind::Integer ||
            kind == TokenKind::Float || isOp("[") || isOp("{"))
            test->arguments->positional.push_back(parsePostfix(parsePrimary()));
    }
    const Expr* done = close(test);
    return isNegated ? close(make(Op::Not, line, {done})) : done;
}

// ---- tokens ----

bool Parser::isOp(std::string_view op) const {
    return current().kind == TokenKind::Operator && current().text == op;
}

bool Parser::isName(std::string_view name) const {
    return current().kind == TokenKind::Name && current().text == name;
}

bool Parser::skipOp(std::string_view op) {
    if (!isOp(op)) return false;
    next();
    return true;
}

bool Parser::skipName(std::string_view name) {
    if (!isName(name)) return false;
    next();
    return true;
}

void Parser::next() {
    if (pos_ + 1 < tokens_.size()) ++pos_;
}

void Parser::expectOp(std::string_view op) {
    if (!skipOp(op)) fail("expected token '" + std::string(op) + "', got " + describe(current()));
}

std::string Parser::expectName() {
    if (current().kind != TokenKind::Name) {
        fail("expected a name, got " + describe(current()));
        return {};
    }
    std::string name = current().text;
    next();
    return name;
}

void Parser::expectKind(TokenKind kind) {
    if (current().kind == kind) return next();
    const char* what =
        kind == TokenKind::VariableEnd ? "end of print statement" : "end of statement block";
    fail(current().kind == TokenKind::End
             ? std::string("unexpected end of template, expected '") + what + "'."
             : std::string("expected token '") + what + "', got " + describe(current()));
}

void Parser::fail(const std::string& what, uint32_t line) {
    if (isFailed_) return;
    isFailed_ = true;
    error_ = syntaxError(line != 0 ? line : current().line, what);
    pos_ = tokens_.size() - 1;
}

std::string Parser::describe(const Token& token) const {
    switch (token.kind) {
        case TokenKind::Data: return "template text";
        case TokenKind::VariableBegin: return "'begin of print statement'";
        case TokenKind::VariableEnd: return "'end of print statement'";
        case TokenKind::BlockBegin: return "'begin of statement block'";
        case TokenKind::BlockEnd: return "'end of statement block'";
        case TokenKind::End: return "end of template";
        default: return "'" + token.text.substr(0, 60) + "'";
    }
}

}  // namespace vitrine::engine::jinja
