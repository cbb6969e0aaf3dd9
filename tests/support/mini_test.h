#pragma once
// The smallest test harness that does the job without Qt, so that engine and kernel tests run in
// the core build and under sanitizers. TEST(name) { CHECK(…); CHECK_EQ(a, b); CHECK_NEAR(a, b,
// tol); } and one VITRINE_TEST_MAIN() per program. `prog [substring]` runs a part. Thread: tests
// run one after another on the main thread; CHECK may be used from any thread.

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace vitrine::test {

struct Case {
    const char* name;
    void (*run)();
};

inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

inline std::atomic<int> failures{0};
inline std::atomic<int> checks{0};

struct Registrar {
    Registrar(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

inline void report(bool ok, const char* file, int line, const std::string& what) {
    ++checks;
    if (ok) return;
    if (++failures <= 50) std::fprintf(stderr, "  FAIL %s:%d: %s\n", file, line, what.c_str());
}

template <class T>
std::string shown(const T& value) {
    if constexpr (requires(std::ostream & o) { o << value; }) {
        std::ostringstream out;
        out << value;
        return out.str();
    } else {
        return "?";
    }
}

// A function and not a block of the macro: what a and b refer to lives until it returns.
template <class A, class B>
void reportEqual(const A& a, const B& b, const char* file, int line, const char* what) {
    report(a == b, file, line, std::string(what) + ": " + shown(a) + " vs " + shown(b));
}

inline int runAll(int argc, char** argv) {
    int passed = 0, failed = 0;
    for (const Case& c : cases()) {
        if (argc > 1 && std::strstr(c.name, argv[1]) == nullptr) continue;
        const int before = failures;
        c.run();
        const bool ok = failures == before;
        std::printf("%s %s\n", ok ? "ok  " : "FAIL", c.name);
        ++(ok ? passed : failed);
    }
    std::printf("%d passed, %d failed (%d checks)\n", passed, failed, checks.load());
    return failed != 0 || passed == 0 ? 1 : 0;
}

}  // namespace vitrine::test

#define TEST(name)                                                                \
    static void test_##name();                                                    \
    static const ::vitrine::test::Registrar registrar_##name(#name, test_##name); \
    static void test_##name()
#define CHECK(cond) ::vitrine::test::report(static_cast<bool>(cond), __FILE__, __LINE__, #cond)
#define CHECK_EQ(a, b) ::vitrine::test::reportEqual((a), (b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_NEAR(a, b, tol)                                                                \
    do {                                                                                     \
        const double a_ = (a), b_ = (b), t_ = (tol);                                         \
        ::vitrine::test::report(std::fabs(a_ - b_) <= t_, __FILE__, __LINE__,                \
                                std::string(#a " ~ " #b ": ") + ::vitrine::test::shown(a_) + \
                                    " vs " + ::vitrine::test::shown(b_) + " tol " +          \
                                    ::vitrine::test::shown(t_));                             \
    } while (0)
#define VITRINE_TEST_MAIN()                         \
    int main(int argc, char** argv) {               \
        return ::vitrine::test::runAll(argc, argv); \
    }
