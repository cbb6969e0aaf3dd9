#pragma once
// Values of the template language, and the memory that they may take. Scalars are held in place,
// the rest are counted objects; those made while a template is rendered are charged to its Meter
// and emptied at its end, so that neither cycles nor deep nesting can leak or overflow the stack.
// Thread: reference counts are atomic; strings may be shared, containers belong to one render.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/text/jinja/text.h"

namespace vitrine::engine::jinja {

class Object;
class Renderer;

/// What one render has in use. One per thread at a time: while it lives, new objects on that
/// thread are charged to it.
class Meter {
public:
    Meter() noexcept;
    ~Meter();  ///< empties what is left
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    static Meter* current() noexcept;

    size_t liveBytes = 0;

private:
    friend class Object;
    Object* first_ = nullptr;
    Meter* outer_ = nullptr;
};

class Object {
public:
    Object() noexcept;
    virtual ~Object();
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    /// Charges the object's own bytes anew after it grew or shrank.
    void account(size_t sizeBytes) noexcept;

    /// Whether the current render made it, and may therefore change it.
    bool isOwn() const noexcept { return meter_ != nullptr && meter_ == Meter::current(); }

    /// Drops what it refers to.
    virtual void clear() noexcept {}

private:
    friend class Meter;
    friend class Value;
    void drop() noexcept;

    std::atomic<uint32_t> references_{0};
    Meter* meter_ = nullptr;
    size_t chargedBytes_ = 0;
    Object *previous_ = nullptr, *next_ = nullptr;
};

/// Wide enough for the distance and the product of two 64-bit integers.
__extension__ typedef __int128 Int128;

enum class Kind : uint8_t {
    Undefined,
    None,
    Bool,
    Int,
    Float,
    String,
    List,
    Tuple,
    Dict,
    Range,
    Iterator,
    Native
};

struct StringObject;
struct ListObject;
struct DictObject;
struct RangeObject;
struct IteratorObject;
class NativeObject;

class Value {
public:
    Value() noexcept = default;
    Value(const Value& other) noexcept;
    Value(Value&& other) noexcept;
    Value& operator=(const Value& other) noexcept;
    Value& operator=(Value&& other) noexcept;
    ~Value();

    static Value none() noexcept;
    static Value boolean(bool value) noexcept;
    static Value integer(int64_t value) noexcept;
    static Value number(double value) noexcept;
    static Value text(Text text);
    /// Any bytes; what is ill-formed becomes U+FFFD.
    static Value string(std::string_view bytes, bool isInput);
    /// With what an error says when it is used.
    static Value undefined(std::string message);
    static Value list(std::vector<Value> items);
    static Value tuple(std::vector<Value> items);
    static Value dict();
    static Value range(int64_t start, int64_t stop, int64_t step);
    static Value iterator(std::vector<Value> items, const char* typeName);
    static Value generator(std::function<bool(Renderer&, Value&)> produce);
    static Value object(Kind kind, Object* object) noexcept;

    Kind kind() const noexcept { return kind_; }

    bool is(Kind kind) const noexcept { return kind_ == kind; }

    bool isUndefined() const noexcept { return kind_ == Kind::Undefined; }

    bool isNone() const noexcept { return kind_ == Kind::None; }

    bool isString() const noexcept { return kind_ == Kind::String; }

    /// Bool, Int or Float.
    bool isNumber() const noexcept { return kind_ >= Kind::Bool && kind_ <= Kind::Float; }

    /// Bool or Int.
    bool isWhole() const noexcept { return kind_ == Kind::Bool || kind_ == Kind::Int; }

    // Requires: the kind that the name says.
    bool asBool() const noexcept { return bool_; }

    int64_t asInt() const noexcept { return kind_ == Kind::Bool ? (bool_ ? 1 : 0) : int_; }

    double asDouble() const noexcept {
        return kind_ == Kind::Float ? float_ : static_cast<double>(asInt());
    }

    const Text& asText() const noexcept;
    std::vector<Value>& items() const noexcept;  ///< of a list or tuple
    DictObject& asDict() const noexcept;
    const RangeObject& asRange() const noexcept;
    IteratorObject& asIterator() const noexcept;
    NativeObject& asNative() const noexcept;

    Object* object() const noexcept { return isObject() ? object_ : nullptr; }

private:
    bool isObject() const noexcept {
        return kind_ >= Kind::String || (kind_ == Kind::Undefined && object_ != nullptr);
    }

    Kind kind_ = Kind::Undefined;

    union {
        bool bool_;
        int64_t int_;
        double float_;
        Object* object_ = nullptr;
    };
};

/// A string, or what an undefined value says.
struct StringObject final : Object {
    explicit StringObject(Text t);
    Text text;
};

struct ListObject final : Object {
    explicit ListObject(std::vector<Value> values);
    void clear() noexcept override;

    void recount() noexcept { account(sizeof(*this) + items.capacity() * sizeof(Value)); }

    std::vector<Value> items;
    bool isGroup = false;  ///< the pair that groupby makes: has the names grouper and list
};

/// Keeps the order in which keys came. Keys are scalars, strings and tuples of such.
struct DictObject final : Object {
    void clear() noexcept override;
    const Value* find(const Value& key) const;
    void set(const Value& key, Value value);
    bool erase(const Value& key);

    std::vector<std::pair<Value, Value>> entries;

private:
    size_t indexOf(const Value& key) const;
    std::unordered_multimap<size_t, uint32_t> index_;  ///< by hash, from 16 entries on
};

struct RangeObject final : Object {
    int64_t start = 0, stop = 0, step = 1;
    int64_t length = 0;
};

/// The next value of a generator; false at its end.
using Produce = std::function<bool(Renderer& renderer, Value& value)>;

/// Generators and views: a generator (isOnce) is empty after it was read to its end.
struct IteratorObject final : Object {
    void clear() noexcept override;
    std::vector<Value> items;
    size_t next = 0;
    const char* typeName = "generator";
    bool isOnce = true;
    Produce produce;  ///< makes the items one by one, in place of `items`
};

struct Arguments {
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;
};

/// Functions, macros, namespaces, the loop variable, …
class NativeObject : public Object {
public:
    virtual const char* typeName() const { return "object"; }

    virtual std::string printed(Renderer&) const { return std::string("<") + typeName() + ">"; }

    virtual bool isCallable() const { return false; }

    virtual Value call(Renderer& renderer, Arguments& arguments);

    /// Null when there is no such attribute.
    virtual bool attribute(Renderer&, std::string_view, Value&) { return false; }
};

/// Numbers equal across kinds hash alike; a list inside a tuple makes a key unhashable.
bool isHashable(const Value& key) noexcept;
size_t hashOf(const Value& key) noexcept;
/// Of hashable values.
bool sameKey(const Value& a, const Value& b) noexcept;

/// Builds a dictionary of a render's context. Requires: dict is Kind::Dict.
void setMember(const Value& dict, std::string_view key, Value value, bool keyIsInput);

const char* typeNameOf(const Value& value) noexcept;

}  // namespace vitrine::engine::jinja
