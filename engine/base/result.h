#pragma once
// A value or an Error. gcc 12 in C++20 mode has no std::expected; the member names are a subset of
// its, so that this can become an alias later. Thread: plain values, any thread.

#include <optional>
#include <utility>
#include <variant>

#include "engine/base/check.h"
#include "engine/base/error.h"

namespace vitrine::engine {

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}

    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const noexcept { return state_.index() == 0; }

    explicit operator bool() const noexcept { return has_value(); }

    /// Requires: has_value().
    T& value() & {
        VITRINE_CHECK(has_value());
        return std::get<0>(state_);
    }

    const T& value() const& {
        VITRINE_CHECK(has_value());
        return std::get<0>(state_);
    }

    T&& value() && {
        VITRINE_CHECK(has_value());
        return std::get<0>(std::move(state_));
    }

    T& operator*() & { return value(); }

    const T& operator*() const& { return value(); }

    T&& operator*() && { return std::move(*this).value(); }

    T* operator->() { return &value(); }

    const T* operator->() const { return &value(); }

    /// Requires: !has_value().
    Error& error() & {
        VITRINE_CHECK(!has_value());
        return std::get<1>(state_);
    }

    const Error& error() const& {
        VITRINE_CHECK(!has_value());
        return std::get<1>(state_);
    }

    Error&& error() && {
        VITRINE_CHECK(!has_value());
        return std::get<1>(std::move(state_));
    }

private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;

    Result(Error error) : error_(std::move(error)) {}

    bool has_value() const noexcept { return !error_.has_value(); }

    explicit operator bool() const noexcept { return has_value(); }

    Error& error() & {
        VITRINE_CHECK(!has_value());
        return *error_;
    }

    const Error& error() const& {
        VITRINE_CHECK(!has_value());
        return *error_;
    }

    Error&& error() && {
        VITRINE_CHECK(!has_value());
        return std::move(*error_);
    }

private:
    std::optional<Error> error_;
};

}  // namespace vitrine::engine
