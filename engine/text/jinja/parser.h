#pragma once
// Tokens to a Program. Source: the grammar of Jinja 3.1, as its documentation and its reference
// implementation have it. Thread: pure function.

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/lexer.h"

namespace vitrine::engine::jinja {

/// Requires: source is well-formed UTF-8. Fails: Format, naming the line.
Result<std::unique_ptr<Program>> parseTemplate(std::string_view source);

/// One use: the first error stays, and from then on every token is the end.
class Parser {
public:
    explicit Parser(std::vector<Token> tokens);
    Result<std::unique_ptr<Program>> run();

private:
    // statements
    Body parseBody(std::initializer_list<std::string_view> ends);
    Body parseBlockBody(std::initializer_list<std::string_view> ends, bool dropEnd);
    Stmt* parseStatement();
    Stmt* parseSet();
    Stmt* parseFor();
    Stmt* parseIf();
    Stmt* parseWith();
    Stmt* parseMacro();
    Stmt* parseCallBlock();
    Stmt* parseFilterBlock();
    Stmt* parseGeneration();
    Stmt* parseBlock();
    Stmt* parseAutoescape();
    Stmt* parsePrint();
    Stmt* parseLoad(const std::string& word);
    void parseImportNames();
    void parseContextWord();
    void parseSignature(Stmt& stmt);
    void unknownTag(const std::string& name);

    /// A body with variables of its own: what it has of unknown filters fails at once, and
    /// loops outside of it cannot be left from a function's.
    struct Frame {
        size_t nUnknown = 0;
        int loopDepth = 0;
    };

    Frame enterFrame(bool isFunction);
    void leave(const Frame& frame);

    // expressions
    const Expr* parseExpression(bool withCondition = true);
    const Expr* parseCondition();
    const Expr* parseOr();
    const Expr* parseAnd();
    const Expr* parseNot();
    const Expr* parseCompare();
    const Expr* parseSum();
    const Expr* parseConcat();
    const Expr* parseProduct();
    const Expr* parsePower();
    const Expr* parseUnary(bool withFilter = true);
    const Expr* parsePrimary(bool withNamespace = false);
    const Expr* parseName(bool withNamespace);
    const Expr* parseNumber();
    const Expr* parseTuple(bool isSimple, bool withCondition, std::string_view endWord,
                           bool hasBrackets, bool withNamespace = false);
    const Expr* parseList();
    const Expr* parseDict();
    const Expr* parsePostfix(const Expr* node);
    const Expr* parseFilters(const Expr* node);
    const Expr* parseFilter(const Expr* node);
    const Expr* parseTest(const Expr* node);
    const Expr* parseSubscript(const Expr* node);
    const Expr* parseCall(const Expr* node);
    std::unique_ptr<CallArguments> parseArguments();
    Target parseTarget(std::string_view endWord, bool withNamespace);
    Target targetOf(const Expr* node);

    // tokens
    const Token& current() const { return tokens_[pos_]; }

    const Token& following() const {
        return pos_ + 1 < tokens_.size() ? tokens_[pos_ + 1] : tokens_.back();
    }

    bool isOp(std::string_view op) const;
    bool isName(std::string_view name) const;
    bool skipOp(std::string_view op);
    bool skipName(std::string_view name);
    void next();
    void expectOp(std::string_view op);
    std::string expectName();
    void expectKind(TokenKind kind);
    void fail(const std::string& what, uint32_t line = 0);
    std::string describe(const Token& token) const;

    // nodes
    Expr* make(Op op, uint32_t line, std::initializer_list<const Expr*> parts = {});
    const Expr* close(Expr* node);
    Stmt* make(StmtKind kind);
    uint32_t symbolOf(const std::string& name);

    friend struct DepthGuard;
    std::vector<Token> tokens_;
    size_t pos_ = 0;
    std::unique_ptr<Program> program_;
    std::unordered_map<std::string, uint32_t> symbols_;
    bool isFailed_ = false;
    Error error_;
    int depth_ = 0;
    int loopDepth_ = 0;

    struct Unknown {
        std::string what;
        uint32_t line = 0;
    };

    std::vector<Unknown> unknown_;  ///< filters and tests that the frame uses without condition
    std::vector<Stmt*> macros_;     ///< that are being parsed
    std::vector<std::string> openTags_;
    std::vector<std::vector<std::string>> expectedEnds_;
};

/// Counts nesting while it lives; too deep is an error.
struct DepthGuard {
    explicit DepthGuard(Parser& parser);
    ~DepthGuard();
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;
    Parser& parser;
};

}  // namespace vitrine::engine::jinja
