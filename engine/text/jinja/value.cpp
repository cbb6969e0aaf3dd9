#include "engine/text/jinja/value.h"

#include <cmath>
#include <functional>

namespace vitrine::engine::jinja {

namespace {

thread_local Meter* currentMeter = nullptr;
thread_local Object* dropped = nullptr;  ///< waiting for their end, linked by next_
thread_local bool isDropping = false;

}  // namespace

Meter::Meter() noexcept : outer_(currentMeter) {
    currentMeter = this;
}

Meter::~Meter() {
    while (first_ != nullptr) {
        const Value held = Value::object(Kind::Native, first_);
        Object* object = first_;
        object->clear();
        first_ = object->next_;
        if (first_ != nullptr) first_->previous_ = nullptr;
        object->next_ = object->previous_ = nullptr;
        object->meter_ = nullptr;
    }
    currentMeter = outer_;
}

Meter* Meter::current() noexcept {
    return currentMeter;
}

Object::Object() noexcept : meter_(currentMeter) {
    if (meter_ == nullptr) return;
    next_ = meter_->first_;
    if (next_ != nullptr) next_->previous_ = this;
    meter_->first_ = this;
}

Object::~Object() = default;

void Object::account(size_t sizeBytes) noexcept {
    if (meter_ == nullptr) return;
    meter_->liveBytes += sizeBytes - chargedBytes_;
    chargedBytes_ = sizeBytes;
}

/// Nested values end one after another and not one inside another: their depth is the template's
/// choice.
void Object::drop() noexcept {
    if (meter_ != nullptr) {
        account(0);
        (previous_ != nullptr ? previous_->next_ : meter_->first_) = next_;
        if (next_ != nullptr) next_->previous_ = previous_;
        meter_ = nullptr;
    }
    next_ = dropped;
    dropped = this;
    if (isDropping) return;
    isDropping = true;
    while (dropped != nullptr) {
        Object* object = dropped;
        dropped = object->next_;
        delete object;
    }
    isDropping = false;
}

// ---- Value ----

Value::Value(const Value& other) noexcept : kind_(other.kind_) {
    int_ = other.int_;
    if (isObject()) object_->references_.fetch_add(1, std::memory_order_relaxed);
}

Value::Value(Value&& other) noexcept : kind_(other.kind_) {
    int_ = other.int_;
    other.kind_ = Kind::Undefined;
    other.object_ = nullptr;
}

Value& Value::operator=(const Value& other) noexcept {
    Value copy(other);
    return *this = std::move(copy);
}

Value& Value::operator=(Value&& other) noexcept {
    if (this == &other) return *this;
    std::swap(kind_, other.kind_);
    std::swap(int_, other.int_);
    return *this;
}

Value::~Value() {
    if (isObject() && object_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        object_->drop();
}

Value Value::none() noexcept {
    Value v;
    v.kind_ = Kind::None;
    return v;
}

Value Value::boolean(bool value) noexcept {
    Value v;
    v.kind_ = Kind::Bool;
    v.int_ = 0;
    v.bool_ = value;
    return v;
}

Value Value::integer(int64_t value) noexcept {
    Value v;
    v.kind_ = Kind::Int;
    v.int_ = value;
    return v;
}

Value Value::number(double value) noexcept {
    Value v;
    v.kind_ = Kind::Float;
    v.float_ = value;
    return v;
}

Value Value::object(Kind kind, Object* object) noexcept {
    Value v;
    v.kind_ = kind;
    v.object_ = object;
    object->references_.fetch_add(1, std::memory_order_relaxed);
    return v;
}

Value Value::text(Text text) {
    return object(Kind::String, new StringObject(std::move(text)));
}

Value Value::string(std::string_view bytes, bool isInput) {
    return text(Text(cleanUtf8(bytes), isInput));
}

Value Value::undefined(std::string message) {
    return object(Kind::Undefined, new StringObject(Text(std::move(message), false)));
}

Value Value::list(std::vector<Value> items) {
    return object(Kind::List, new ListObject(std::move(items)));
}

Value Value::tuple(std::vector<Value> items) {
    return object(Kind::Tuple, new ListObject(std::move(items)));
}

Value Value::dict() {
    return object(Kind::Dict, new DictObject);
}

Value Value::range(int64_t start, int64_t stop, int64_t step) {
    auto* range = new RangeObject;
    range->start = start;
    range->stop = stop;
    range->step = step;
    // In 128 bits: the distance between two integers may not fit 64.
    const Int128 distance = static_cast<Int128>(stop) - start;
    const Int128 stride = step;
    if (step > 0 && distance > 0)
        range->length = static_cast<int64_t>((distance + stride - 1) / stride);
    if (step < 0 && distance < 0)
        range->length = static_cast<int64_t>((-distance - stride - 1) / -stride);
    return object(Kind::Range, range);
}

Value Value::iterator(std::vector<Value> items, const char* typeName) {
    auto* iterator = new IteratorObject;
    iterator->items = std::move(items);
    iterator->typeName = typeName;
    iterator->account(sizeof(*iterator) + iterator->items.capacity() * sizeof(Value));
    return object(Kind::Iterator, iterator);
}

Value Value::generator(Produce produce) {
    auto* iterator = new IteratorObject;
    iterator->produce = std::move(produce);
    iterator->account(sizeof(*iterator) + 256);
    return object(Kind::Iterator, iterator);
}

const Text& Value::asText() const noexcept {
    return static_cast<StringObject*>(object_)->text;
}

std::vector<Value>& Value::items() const noexcept {
    return static_cast<ListObject*>(object_)->items;
}

DictObject& Value::asDict() const noexcept {
    return *static_cast<DictObject*>(object_);
}

const RangeObject& Value::asRange() const noexcept {
    return *static_cast<RangeObject*>(object_);
}

IteratorObject& Value::asIterator() const noexcept {
    return *static_cast<IteratorObject*>(object_);
}

NativeObject& Value::asNative() const noexcept {
    return *static_cast<NativeObject*>(object_);
}

// ---- objects ----

StringObject::StringObject(Text t) : text(std::move(t)) {
    account(sizeof(*this) + text.sizeBytes());
}

ListObject::ListObject(std::vector<Value> values) : items(std::move(values)) {
    recount();
}

void ListObject::clear() noexcept {
    std::vector<Value>().swap(items);
}

void IteratorObject::clear() noexcept {
    produce = nullptr;
    std::vector<Value>().swap(items);
}

void DictObject::clear() noexcept {
    std::vector<std::pair<Value, Value>>().swap(entries);
    index_.clear();
}

size_t DictObject::indexOf(const Value& key) const {
    if (index_.empty()) {
        for (size_t i = 0; i < entries.size(); ++i)
            if (sameKey(entries[i].first, key)) return i;
        return entries.size();
    }
    const auto [begin, end] = index_.equal_range(hashOf(key));
    for (auto it = begin; it != end; ++it)
        if (sameKey(entries[it->second].first, key)) return it->second;
    return entries.size();
}

const Value* DictObject::find(const Value& key) const {
    const size_t i = indexOf(key);
    return i < entries.size() ? &entries[i].second : nullptr;
}

void DictObject::set(const Value& key, Value value) {
    const size_t i = indexOf(key);
    if (i < entries.size()) {
        entries[i].second = std::move(value);
        return;
    }
    entries.emplace_back(key, std::move(value));
    if (entries.size() == 16) {
        for (size_t k = 0; k < entries.size(); ++k)
            index_.emplace(hashOf(entries[k].first), static_cast<uint32_t>(k));
    } else if (entries.size() > 16) {
        index_.emplace(hashOf(key), static_cast<uint32_t>(entries.size() - 1));
    }
    account(sizeof(*this) + entries.capacity() * sizeof(entries[0]) + index_.size() * 40);
}

bool DictObject::erase(const Value& key) {
    const size_t i = indexOf(key);
    if (i == entries.size()) return false;
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
    index_.clear();
    for (size_t k = 0; k < entries.size() && entries.size() >= 16; ++k)
        index_.emplace(hashOf(entries[k].first), static_cast<uint32_t>(k));
    return true;
}

bool isHashable(const Value& key) noexcept {
    if (key.is(Kind::List) || key.is(Kind::Dict)) return false;
    if (!key.is(Kind::Tuple)) return true;
    for (const Value& item : key.items())
        if (item.is(Kind::Tuple) || !isHashable(item)) return false;
    return true;
}

size_t hashOf(const Value& key) noexcept {
    switch (key.kind()) {
        case Kind::Bool:
        case Kind::Int: return std::hash<int64_t>{}(key.asInt());
        case Kind::Float: {
            const double d = key.asDouble();
            if (d >= -9.2e18 && d <= 9.2e18 && d == std::floor(d))
                return std::hash<int64_t>{}(static_cast<int64_t>(d));
            return std::hash<double>{}(d);
        }
        case Kind::String: return std::hash<std::string>{}(key.asText().bytes());
        case Kind::Tuple: {
            size_t hash = 17;
            for (const Value& item : key.items()) hash = hash * 31 + hashOf(item);
            return hash;
        }
        case Kind::Undefined:
        case Kind::None: return 3;
        default: return std::hash<const void*>{}(key.object());
    }
}

bool sameKey(const Value& a, const Value& b) noexcept {
    if (a.isNumber() && b.isNumber()) {
        if (a.is(Kind::Float) || b.is(Kind::Float)) return a.asDouble() == b.asDouble();
        return a.asInt() == b.asInt();
    }
    if (a.kind() != b.kind()) return false;
    if (a.isString()) return a.asText().bytes() == b.asText().bytes();
    if (!a.is(Kind::Tuple)) return a.isNone() || a.isUndefined() || a.object() == b.object();
    if (a.items().size() != b.items().size()) return false;
    for (size_t i = 0; i < a.items().size(); ++i)
        if (!sameKey(a.items()[i], b.items()[i])) return false;
    return true;
}

void setMember(const Value& dict, std::string_view key, Value value, bool keyIsInput) {
    dict.asDict().set(Value::string(key, keyIsInput), std::move(value));
}

const char* typeNameOf(const Value& value) noexcept {
    switch (value.kind()) {
        case Kind::Undefined: return "Undefined";
        case Kind::None: return "NoneType";
        case Kind::Bool: return "bool";
        case Kind::Int: return "int";
        case Kind::Float: return "float";
        case Kind::String: return value.asText().isSafe ? "Markup" : "str";
        case Kind::List: return "list";
        case Kind::Tuple: return "tuple";
        case Kind::Dict: return "dict";
        case Kind::Range: return "range";
        case Kind::Iterator: return value.asIterator().typeName;
        case Kind::Native: return value.asNative().typeName();
    }
    return "object";
}

}  // namespace vitrine::engine::jinja
