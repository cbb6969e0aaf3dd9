#pragma once
// Sessions on made-up models, and the two ways to feed them: in chunks and token by token. Thread:
// the test's main thread.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "engine/runtime/session.h"
#include "tests/support/mini_test.h"
#include "tests/support/temp_file.h"

namespace vitrine::test {

inline std::unique_ptr<engine::Session> open(const TempFile& file, engine::LoadOptions options,
                                             const std::atomic<bool>* cancel = nullptr) {
    options.nThreads = options.nThreads == 0 ? 2 : options.nThreads;
    auto session = engine::Session::load(file.path(), options, std::make_shared<observe::Hub>(),
                                         nullptr, cancel);
    CHECK(session.has_value());
    if (!session) {
        std::fprintf(stderr, "%s\n", session.error().message.c_str());
        std::exit(1);
    }
    return std::move(*session);
}

inline engine::LoadOptions exactOptions() {
    engine::LoadOptions options;
    options.exact = true;
    return options;
}

inline std::vector<engine::TokenId> tokens(int n, int salt = 0) {
    std::vector<engine::TokenId> ids;
    for (int i = 0; i < n; ++i)
        ids.push_back(engine::TokenId((i * 37 + salt * 11 + i * i % 7) % 250));
    return ids;
}

inline std::vector<float> lastLogits(engine::Session& session,
                                     const std::vector<engine::TokenId>& ids) {
    auto begun = session.begin(ids);
    CHECK(begun.has_value());
    for (;;) {
        auto done = session.step();
        CHECK(done.has_value());
        if (!done || *done) break;
    }
    const auto logits = session.logits();
    return {logits.begin(), logits.end()};
}

inline std::vector<float> tokenByToken(engine::Session& session,
                                       const std::vector<engine::TokenId>& ids) {
    std::vector<float> last = lastLogits(session, {ids[0]});
    for (size_t i = 1; i < ids.size(); ++i) {
        CHECK(session.append(ids[i]).has_value());
        auto done = session.step();
        CHECK(done.has_value() && *done);
        last.assign(session.logits().begin(), session.logits().end());
    }
    return last;
}

}  // namespace vitrine::test
