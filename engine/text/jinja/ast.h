#pragma once
// The syntax tree. All nodes lie in the Program's arenas and refer to one another by plain
// pointers, so that its end needs no recursion. Thread: immutable after parsing.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/text/jinja/value.h"

namespace vitrine::engine::jinja {

struct Filter;
struct Test;

enum class Op : uint8_t {
    Constant,
    Name,
    NamespaceMember,  ///< only as a target: ns.attr
    List,
    Tuple,
    Dict,  ///< parts: key, value, key, value, …
    Negate,
    Plus,
    Not,
    And,
    Or,
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
    Concat,
    Compare,    ///< parts: operands; operators in `compares`
    Condition,  ///< parts: test, then, else or null
    Attribute,
    Item,
    Slice,  ///< parts: object, start, stop, step (null where absent)
    Call,
    Filter,  ///< parts: input; null: the body of a filter block
    Test
};

enum class CompareOp : uint8_t {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn
};

struct Expr;

struct CallArguments {
    std::vector<const Expr*> positional;
    std::vector<std::pair<std::string, const Expr*>> named;
    const Expr* more = nullptr;       ///< *more
    const Expr* moreNamed = nullptr;  ///< **moreNamed
};

struct Expr {
    Op op = Op::Constant;
    uint32_t line = 1;
    uint32_t depth = 1;
    uint32_t symbol = 0;  ///< Name
    Value constant;       ///< Constant; the key of Attribute and NamespaceMember
    std::string name;     ///< Name, Attribute, Filter, Test
    std::vector<const Expr*> parts;
    std::vector<CompareOp> compares;
    std::unique_ptr<CallArguments> arguments;
    const jinja::Filter* filter = nullptr;  ///< null: not known; fails where it is reached
    const jinja::Test* test = nullptr;
};

struct Target {
    Op op = Op::Name;  ///< Name, NamespaceMember, Tuple
    uint32_t symbol = 0;
    std::string member;
    std::vector<Target> parts;
};

struct Parameter {
    uint32_t symbol = 0;
    std::string name;
    const Expr* fallback = nullptr;
};

enum class StmtKind : uint8_t {
    Data,
    Print,
    Set,
    SetBlock,
    For,
    If,
    With,
    Macro,
    CallBlock,
    FilterBlock,
    Generation,
    Block,
    Autoescape,
    Break,
    Continue,
    Load  ///< include, import, extends: there is nothing to load from
};

struct Stmt;
using Body = std::vector<const Stmt*>;

struct Stmt {
    StmtKind kind = StmtKind::Data;
    uint32_t line = 1;
    uint32_t symbol = 0;  ///< Macro
    Value text;           ///< Data
    std::string name;     ///< Macro, Block
    const Expr* expr = nullptr;
    const Expr* test = nullptr;  ///< of a For
    std::vector<Target> targets;
    std::vector<const Expr*> values;  ///< of With; the conditions of If
    std::vector<Body> bodies;         ///< of If, one per condition
    Body body;
    Body otherwise;  ///< else
    std::vector<Parameter> parameters;
    bool isRecursive = false, isScoped = false, isRequired = false;
    bool usesCaller = false, usesKwargs = false, usesVarargs = false;
};

struct Program {
    std::deque<Expr> exprs;
    std::deque<Stmt> stmts;
    Body body;
    std::vector<std::string> symbols;
    std::map<std::string, const Stmt*, std::less<>> blocks;
    uint32_t loopSymbol = 0, callerSymbol = 0, kwargsSymbol = 0, varargsSymbol = 0;
};

}  // namespace vitrine::engine::jinja
