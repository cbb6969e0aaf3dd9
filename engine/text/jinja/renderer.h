#pragma once
// One rendering of one template. The first failure stays: from then on every operation gives
// undefined and every loop ends, so that only loops need to ask. Thread: one owner.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/text/jinja/ast.h"
#include "engine/text/jinja/template.h"
#include "engine/text/jinja/value.h"

namespace vitrine::engine::jinja {

class Renderer;

/// Text that grows, charged to the render while it does.
class Builder {
public:
    explicit Builder(Renderer& renderer) : renderer_(renderer) {}

    ~Builder();
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    void append(std::string_view bytes, bool isInput = false);
    void append(const Text& text, size_t from, size_t to);

    void append(const Text& text) { append(text, 0, text.size()); }

    void appendHtml(const Text& text);  ///< escaped unless it is marked as safe
    void fill(const Text& unit, int64_t times);

    const Text& text() const { return text_; }

    bool failed() const;
    Text take();

    Value value() { return Value::text(take()); }

private:
    void chargeGrowth();

    Renderer& renderer_;
    Text text_;
    size_t chargedBytes_ = 0;
};

/// What a value gives when it is iterated, without copying. A generator is read to its end.
class Items {
public:
    Items() = default;
    Items(Renderer& renderer, const Value& source);
    size_t size() const;
    Value at(size_t index) const;
    bool isValid = false;  ///< false: the value cannot be iterated; that failed

private:
    Value source_;
    size_t begin_ = 0;
    size_t size_ = 0;
    mutable size_t cursor_ = 0, cursorByte_ = 0;  ///< of text: where a character begins
};

/// Takes one value after another; of a generator no more than it is asked for.
class Source {
public:
    Source(Renderer& renderer, const Value& value);
    bool next(Renderer& renderer, Value& value);

private:
    Value value_;
    Items items_;
    size_t index_ = 0;
};

struct Scope final : NativeObject {
    explicit Scope(Value outer);
    void clear() noexcept override;
    void set(uint32_t symbol, Value value);

    std::vector<std::pair<uint32_t, Value>> variables;
    Value parent;  ///< undefined for the outermost
};

enum class Flow : uint8_t { Normal, Break, Continue };

class Renderer {
public:
    Renderer(const Program& program, const Value& context, const RenderOptions& options);
    Result<std::vector<PromptSegment>> run();

    // ---- failing and limits ----
    Value fail(std::string what, Errc code = Errc::InvalidArgument);
    /// Of what an undefined value was used for.
    Value failUndefined(const Value& value);

    bool failed() const { return isFailed_; }

    /// Counts work; false when the render has failed or did too much.
    bool tick(uint64_t nSteps = 1) {
        steps_ += nSteps;
        return steps_ < nextCheck_ ? !isFailed_ : checkClock();
    }

    /// Whether so many more bytes may be taken; else fails.
    bool room(uint64_t nBytes);
    void charge(size_t nBytes);

    void release(size_t nBytes) { meter_.liveBytes -= nBytes; }

    /// Counts nesting while it lives.
    struct Depth {
        explicit Depth(Renderer& r);

        ~Depth() { --renderer.depth_; }

        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;
        Renderer& renderer;
    };

    // ---- values ----
    bool truth(const Value& value);
    bool equals(const Value& a, const Value& b);
    /// a < b; fails for what has no order. `op` is for the message.
    bool less(const Value& a, const Value& b, const char* op = "<");
    bool lessOrEqual(const Value& a, const Value& b, const char* op = "<=");
    bool contains(const Value& container, const Value& item);
    Value binary(Op op, const Value& a, const Value& b);
    Value length(const Value& value);
    Value item(const Value& object, const Value& key);
    Value attribute(const Value& object, const Value& name);
    Value slice(const Value& object, const Value& start, const Value& stop, const Value& step);
    Value method(const Value& object, std::string_view name);  ///< undefined kind when none
    /// The next value of a generator or view; false at its end.
    bool pull(IteratorObject& iterator, Value& value);
    /// All that iterating gives.
    std::vector<Value> listOf(const Value& value);
    Text str(const Value& value);
    void writeStr(Builder& out, const Value& value);
    void writeRepr(Builder& out, const Value& value);
    std::string reprOf(const Value& value);  ///< short, for messages
    /// Sorts by less over keys; stable.
    void sort(std::vector<std::pair<Value, Value>>& keyed, bool isReverse);
    bool checkHashable(const Value& key);
    bool checkOwn(const Value& container, const char* method);

    // ---- calling ----
    Value call(const Value& callee, Arguments& arguments);
    Value callFilter(const Value& name, const Value& input, Arguments& arguments);
    bool callTest(const Value& name, const Value& input, Arguments& arguments);
    Value callMacro(const Stmt& macro, const Value& scope, Arguments& arguments);
    Value callLoop(const Stmt& loop, const Value& scope, const Value& items, int depth);
    Value callBlock(const Stmt& block);

    const Program& program() const { return program_; }

    const RenderOptions& options() const { return options_; }

    bool autoescape() const { return autoescape_; }

private:
    friend class Builder;
    bool checkClock();

    // statements
    Flow execute(const Body& body);
    Flow execute(const Stmt& stmt);
    Flow executeFor(const Stmt& stmt, const Value& source, int depth);
    Flow executeIf(const Stmt& stmt);
    Flow executeScoped(const Body& body);
    Flow executeBlock(const Stmt& stmt, const Value& outer);
    Flow executeSetBlock(const Stmt& stmt);
    Flow executeFilterBlock(const Stmt& stmt);
    Flow executeWith(const Stmt& stmt);
    void executeCallBlock(const Stmt& stmt);
    void print(const Value& value);
    void assign(const Target& target, const Value& value);
    std::vector<Value> selected(const Stmt& loop, const Items& items);
    /// Runs a body with its output apart.
    Flow capture(const Body& body, bool hasOwnScope, Value& output);

    // expressions
    Value evaluate(const Expr& expr);
    Value evaluateOperator(const Expr& expr);
    Value evaluateName(const Expr& expr);
    Value evaluateSequence(const Expr& expr);
    Value evaluateDict(const Expr& expr);
    Value evaluateCompare(const Expr& expr);
    Value evaluateConcat(const Expr& expr);
    Value evaluateFilter(const Expr& expr, const Value* body);
    Value evaluateCall(const Expr& expr, const Value* caller);
    Value evaluateTest(const Expr& expr);
    Value evaluateSlice(const Expr& expr);
    bool evaluateArguments(const CallArguments& source, Arguments& arguments);
    Value unary(Op op, const Value& value);
    Value lookUp(uint32_t symbol, const std::string& name);

    Scope& scope() { return static_cast<Scope&>(scope_.asNative()); }

    const Program& program_;
    RenderOptions options_;
    Meter meter_;
    bool isFailed_ = false;
    Error error_;
    uint32_t line_ = 1;
    int depth_ = 0;
    uint64_t steps_ = 0, nextCheck_ = 0;
    std::chrono::steady_clock::time_point deadline_;
    bool autoescape_ = false;
    std::vector<Value> variables_;  ///< the context's, by symbol
    std::vector<bool> hasVariable_;
    Value root_, scope_;
    Builder* out_ = nullptr;
};

/// Arguments by name, as Python binds them. Fails when one is missing, unknown or given twice.
class Params {
public:
    Params(Renderer& renderer, const char* function, Arguments& arguments,
           std::initializer_list<const char*> names, size_t nRequired = 0);

    bool ok() const { return isOk_; }

    /// Given, and not none.
    bool has(size_t i) const { return given_[i] && !values_[i].isNone(); }

    bool isGiven(size_t i) const { return given_[i]; }

    const Value& operator[](size_t i) const { return values_[i]; }

    // Of another type: fails and gives the fallback.
    int64_t integer(size_t i, int64_t fallback);
    bool boolean(size_t i, bool fallback);
    Text text(size_t i, std::string_view fallback);  ///< anything, printed
    bool isText(size_t i);                           ///< fails when given and no string

private:
    Renderer& renderer_;
    const char* function_;
    std::vector<Value> values_;
    std::vector<bool> given_;
    bool isOk_ = true;
};

// ---- text of values (print.cpp, json.cpp, number_format.cpp, percent_format.cpp, …) ----

std::string floatRepr(double value);
void writeJson(Renderer& renderer, Builder& out, const Value& value, Params& params);
Value readJson(Renderer& renderer, const Text& text);
Value formatPercent(Renderer& renderer, const Text& format, const Value& arguments);
Value formatBraces(Renderer& renderer, const Text& format, Arguments& arguments);
/// Python's format(value, spec).
void formatValue(Renderer& renderer, Builder& out, const Value& value, const Text& spec);
/// repr with every character beyond ASCII escaped.
void writeAscii(Renderer& renderer, Builder& out, const Value& value);
/// Pads to a width in characters; align is '<', '>', '^' or '='.
void pad(Builder& out, const Text& text, int64_t width, char align, const Text& fill,
         size_t signBytes = 0);
std::string formatDouble(double value, char type, int precision, bool isAlternate);
std::optional<std::string> integerText(int64_t value, char type, bool isAlternate);
std::optional<int64_t> parseInteger(std::string_view text, int base);
std::optional<double> parseDouble(std::string_view text);
Value roundHalfEven(Renderer& renderer, const Value& value, int64_t precision);
std::string formatTime(const std::string& format, const std::tm& time);

/// Python's case mappings, which may change lengths.
enum class Case : uint8_t { Upper, Lower, Title, Capitalize, Swap, Fold };
void writeCased(Builder& out, const Text& text, size_t from, size_t to, Case to_);

Value stringMethod(const Value& self, std::string_view name);
Value containerMethod(const Value& self, std::string_view name);
Value globalFunction(std::string_view name);
Value makeMacro(const Stmt& stmt, Value scope, bool isCaller);
Value makeSelf();
bool isNamespace(const Value& value);
void setNamespaceMember(Renderer& renderer, const Value& space, const std::string& name,
                        const Value& value);

}  // namespace vitrine::engine::jinja
