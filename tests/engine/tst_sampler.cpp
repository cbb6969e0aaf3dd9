// Sampler chain: each stage against distributions worked out by hand, order, ties, repeatability.

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>

#include "engine/runtime/sampler.h"
#include "engine/runtime/sampling/stage.h"
#include "tests/engine/random_logits.h"
#include "tests/support/mini_test.h"

using namespace vitrine;
using namespace vitrine::engine;
using test::randomLogits;

namespace {

/// All stages off, temperature 1.
SamplingParams plain() {
    SamplingParams p;
    p.temperature = 1;
    p.topK = 0;
    p.topP = 1;
    p.minP = 0;
    return p;
}

/// Logits whose softmax is the given distribution (times any constant).
std::vector<float> logitsOf(const std::vector<double>& probabilities) {
    std::vector<float> out;
    for (const double p : probabilities) out.push_back(static_cast<float>(std::log(p)) + 3);
    return out;
}

Sampled pickOnce(const SamplingParams& params, const std::vector<float>& logits,
                 const std::vector<TokenId>& recent = {}, uint64_t seed = 1) {
    SamplerChain chain(params, static_cast<int32_t>(logits.size()), seed);
    auto r = chain.pick(logits, recent, static_cast<int>(logits.size()));
    CHECK(r.has_value());
    return r ? std::move(*r) : Sampled{};
}

/// Probability of each id after the chain; 0 = cut.
std::vector<double> after(const SamplingParams& params, const std::vector<float>& logits,
                          const std::vector<TokenId>& recent = {}) {
    std::vector<double> out(logits.size());
    for (const Candidate& c : pickOnce(params, logits, recent).candidates) {
        out[static_cast<size_t>(c.id.value)] = c.sampledProb;
        CHECK_EQ(c.cutBy == 0, c.sampledProb > 0);
    }
    return out;
}

void checkNear(const std::vector<double>& got, const std::vector<double>& want) {
    CHECK_EQ(got.size(), want.size());
    for (size_t i = 0; i < std::min(got.size(), want.size()); ++i)
        CHECK_NEAR(got[i], want[i], 1e-6);
}

uint8_t cutBy(SamplerStage stage) {
    return static_cast<uint8_t>(static_cast<int>(stage) + 1);
}

}  // namespace

TEST(rawDistributionIsThatOfTheLogits) {
    const std::vector<float> logits = logitsOf({0.1, 0.5, 0.15, 0.25});
    const Sampled s = pickOnce(plain(), logits);
    CHECK_NEAR(s.entropyBits, 0.1 * std::log2(10) + 0.5 + 0.15 * std::log2(1 / 0.15) + 0.5, 1e-5);
    const std::vector<int32_t> order{1, 3, 2, 0};
    const std::vector<double> probs{0.5, 0.25, 0.15, 0.1};
    for (size_t i = 0; i < 4; ++i) {
        CHECK_EQ(s.candidates[i].id.value, order[i]);
        CHECK_NEAR(s.candidates[i].rawProb, probs[i], 1e-6);
        CHECK_NEAR(s.candidates[i].sampledProb, probs[i], 1e-6);
        CHECK_EQ(s.candidates[i].logit, logits[static_cast<size_t>(order[i])]);
    }
    CHECK_EQ(order[static_cast<size_t>(s.rank)], s.id.value);
    CHECK_EQ(s.rawProb, s.candidates[static_cast<size_t>(s.rank)].rawProb);
    CHECK_EQ(s.sampledProb, s.candidates[static_cast<size_t>(s.rank)].sampledProb);
}

TEST(greedyTakesTheBestAndTiesGoToTheLowestId) {
    SamplingParams p;
    p.temperature = 0;
    p.typicalP = 0.01f;  // would remove the best token
    const Sampled s = pickOnce(p, {1, 5, 2, 5, 5});
    CHECK_EQ(s.id.value, 1);
    CHECK_EQ(s.sampledProb, 1.0f);
    CHECK_EQ(s.rank, 0);
    CHECK_EQ(s.candidates[0].id.value, 1);
    CHECK_EQ(s.candidates[1].id.value, 3);
    CHECK_EQ(s.candidates[2].id.value, 4);
    CHECK_EQ(s.candidates[1].cutBy, cutBy(SamplerStage::Temperature));
    p.temperature = -1;
    CHECK_EQ(pickOnce(p, {0, 1}).id.value, 1);
    p.temperature = std::numeric_limits<float>::quiet_NaN();
    CHECK_EQ(pickOnce(p, {0, 1}).id.value, 1);
}

TEST(penaltiesChangeWhatWasSaid) {
    SamplingParams p = plain();
    p.temperature = 0;
    p.repeatPenalty = 2;
    // 4/2 = 2 and −1·2 = −2; id 2 is now the best.
    const Sampled s = pickOnce(p, {4, -1, 3}, {TokenId(0), TokenId(1), TokenId(0)});
    CHECK_EQ(s.id.value, 2);
    CHECK_EQ(s.rank, 1);
    p.temperature = 1;
    const std::vector<double> probs = after(p, {4, -1, 3}, {TokenId(0), TokenId(1), TokenId(0)});
    const double z = std::exp(2) + std::exp(-2) + std::exp(3);
    checkNear(probs, {std::exp(2) / z, std::exp(-2) / z, std::exp(3) / z});
}

TEST(presenceCountsOnceAndFrequencyEachTime) {
    SamplingParams p = plain();
    p.presencePenalty = 0.5f;
    p.frequencyPenalty = 0.25f;
    const std::vector<TokenId> recent{TokenId(1), TokenId(0), TokenId(1), TokenId(1)};
    const std::vector<double> probs = after(p, {0, 0, 0}, recent);
    const double a = std::exp(-0.75), b = std::exp(-1.25), z = a + b + 1;
    checkNear(probs, {a / z, b / z, 1 / z});
}

TEST(penaltiesLookBackAsFarAsAsked) {
    SamplingParams p = plain();
    p.presencePenalty = 20;
    const std::vector<TokenId> recent{TokenId(0), TokenId(1), TokenId(2)};
    p.repeatLastN = 1;
    CHECK(after(p, {0, 0, 0, 0}, recent)[2] < 1e-8);
    CHECK_NEAR(after(p, {0, 0, 0, 0}, recent)[1], 1.0 / 3, 1e-6);
    p.repeatLastN = -1;
    CHECK_NEAR(after(p, {0, 0, 0, 0}, recent)[3], 1, 1e-6);
    p.repeatLastN = 0;
    CHECK_NEAR(after(p, {0, 0, 0, 0}, recent)[2], 0.25, 1e-6);
    p.repeatLastN = 64;
    // Ids that the vocabulary does not have are passed over.
    const std::vector<TokenId> strange{TokenId(-1), TokenId(4), TokenId(1'000'000'000)};
    checkNear(after(p, {0, 0, 0, 0}, strange), {0.25, 0.25, 0.25, 0.25});
}

TEST(topKKeepsTheBest) {
    SamplingParams p = plain();
    p.topK = 2;
    const std::vector<float> logits = logitsOf({0.1, 0.4, 0.2, 0.3});
    checkNear(after(p, logits), {0, 4.0 / 7, 0, 3.0 / 7});
    CHECK_EQ(pickOnce(p, logits).candidates[2].cutBy, cutBy(SamplerStage::TopK));
    p.topK = 100;
    checkNear(after(p, logits), {0.1, 0.4, 0.2, 0.3});
    p.topK = -5;
    checkNear(after(p, logits), {0.1, 0.4, 0.2, 0.3});
    p.topK = 2;  // ties: the lower ids stay
    checkNear(after(p, {1, 1, 1, 1}), {0.5, 0.5, 0, 0});
}

TEST(topPKeepsTheFewestWithTheMass) {
    SamplingParams p = plain();
    const std::vector<float> logits = logitsOf({0.1, 0.4, 0.2, 0.3});
    p.topP = 0.65f;
    checkNear(after(p, logits), {0, 4.0 / 7, 0, 3.0 / 7});
    p.topP = 0.75f;
    checkNear(after(p, logits), {0, 4.0 / 9, 2.0 / 9, 3.0 / 9});
    CHECK_EQ(pickOnce(p, logits).candidates[3].cutBy, cutBy(SamplerStage::TopP));
    for (const float least : {0.0f, -1.0f, 0.39f}) {
        p.topP = least;
        checkNear(after(p, logits), {0, 1, 0, 0});
    }
    p.topP = 0.5f;  // ties: the lower ids stay
    checkNear(after(p, {2, 2, 2, 2}), {0.5, 0.5, 0, 0});
}

TEST(minPComparesWithTheBest) {
    SamplingParams p = plain();
    const std::vector<float> logits = logitsOf({0.1, 0.5, 0.16, 0.24});
    p.minP = 0.3f;
    checkNear(after(p, logits), {0, 0.5 / 0.9, 0.16 / 0.9, 0.24 / 0.9});
    CHECK_EQ(pickOnce(p, logits).candidates[3].cutBy, cutBy(SamplerStage::MinP));
    for (const float most : {1.0f, 5.0f}) {
        p.minP = most;
        checkNear(after(p, logits), {0, 1, 0, 0});
    }
}

TEST(typicalKeepsWhatIsNearTheEntropy) {
    SamplingParams p = plain();
    // Entropy of {0.6, 0.1 × 4} is 1.2275 nats; −ln 0.6 = 0.51 (0.717 away), −ln 0.1 = 2.30 (1.075
    // away): the best first.
    p.typicalP = 0.5f;
    checkNear(after(p, logitsOf({0.6, 0.1, 0.1, 0.1, 0.1})), {1, 0, 0, 0, 0});
    // Entropy of {0.4, 0.2, 0.2, 0.2} is 1.3322; −ln 0.4 = 0.916 (0.416), −ln 0.2 = 1.609 (0.277):
    // the middle ones first, the best last.
    p.typicalP = 0.55f;
    checkNear(after(p, logitsOf({0.4, 0.2, 0.2, 0.2})), {0, 1.0 / 3, 1.0 / 3, 1.0 / 3});
    CHECK_EQ(pickOnce(p, logitsOf({0.4, 0.2, 0.2, 0.2})).candidates[0].cutBy,
             cutBy(SamplerStage::Typical));
    p.typicalP = 0.35f;
    checkNear(after(p, logitsOf({0.4, 0.2, 0.2, 0.2})), {0, 0.5, 0.5, 0});
    p.typicalP = 0;
    checkNear(after(p, logitsOf({0.4, 0.2, 0.2, 0.2})), {0, 1, 0, 0});
}

TEST(temperatureFlattensAndSharpens) {
    SamplingParams p = plain();
    const std::vector<float> logits = logitsOf({0.2, 0.8});
    p.temperature = 2;
    checkNear(after(p, logits), {1.0 / 3, 2.0 / 3});
    p.temperature = 0.5f;
    checkNear(after(p, logits), {1.0 / 17, 16.0 / 17});
    p.temperature = 1e-30f;
    const Sampled cold = pickOnce(p, logits);
    CHECK_EQ(cold.id.value, 1);
    CHECK_EQ(cold.sampledProb, 1.0f);
    p.temperature = 1e30f;
    checkNear(after(p, logits), {0.5, 0.5});
}

TEST(stagesRunInTheirOrder) {
    const auto& stages = samplerStages();
    CHECK_EQ(stages.size(), static_cast<size_t>(kSamplerStageCount));
    for (size_t i = 0; i < stages.size(); ++i) CHECK_EQ(static_cast<size_t>(stages[i]->stage), i);
    // top-k renormalises before top-p: of {0.5, 0.3} / 0.8 the first has 0.625 ≥ 0.6. Of the whole
    // distribution it has 0.5, so the other order would keep two.
    SamplingParams p = plain();
    p.topK = 2;
    p.topP = 0.6f;
    const Sampled s = pickOnce(p, logitsOf({0.5, 0.3, 0.1, 0.1}));
    CHECK_EQ(s.candidates[1].cutBy, cutBy(SamplerStage::TopP));
    CHECK_EQ(s.candidates[2].cutBy, cutBy(SamplerStage::TopK));
    // Temperature is last: it must not change what top-p keeps.
    p = plain();
    p.topP = 0.45f;
    p.temperature = 5;
    checkNear(after(p, logitsOf({0.5, 0.3, 0.2})), {1, 0, 0});
}

TEST(oneAlwaysRemains) {
    SamplingParams p;
    p.topK = 1;
    p.topP = 0;
    p.minP = 100;
    p.typicalP = 0;
    p.temperature = 1e-38f;
    p.repeatPenalty = 1e30f;
    p.presencePenalty = 1e38f;
    p.frequencyPenalty = 1e38f;
    const std::vector<TokenId> recent{TokenId(0), TokenId(1), TokenId(1), TokenId(2)};
    CHECK(pickOnce(p, {1, 2, -3}, recent).id.isValid());
    p.repeatPenalty = 1e-38f;
    CHECK(pickOnce(p, {1e38f, -1e38f, 3e38f}, recent).id.isValid());
    CHECK_EQ(pickOnce(p, {7}).id.value, 0);
    p.repeatPenalty = 0;
    CHECK(pickOnce(p, {1, 2, -3}, recent).id.isValid());
}

TEST(schemaMatchesTheParameters) {
    // What a form builds from the schema is what the struct has by default.
    SamplingParams fromSchema = plain();
    std::set<std::string> names;
    for (const SamplerStageSpec* spec : samplerStages()) {
        SamplingParams off;
        for (const SamplerParameter& parameter : spec->parameters) {
            CHECK(names.insert(parameter.name).second);
            parameter.set(fromSchema, parameter.defaultValue);
            CHECK_NEAR(parameter.get(fromSchema), parameter.defaultValue, 1e-6);
            CHECK(parameter.min <= parameter.defaultValue &&
                  parameter.defaultValue <= parameter.max);
            CHECK(parameter.min <= parameter.offValue && parameter.offValue <= parameter.max);
            parameter.set(off, parameter.offValue);
        }
        CHECK(!spec->isOn(off));
    }
    CHECK(fromSchema == SamplingParams{});
    CHECK_EQ(names.size(), size_t{9});
}

TEST(sameSeedSameTokens) {
    const std::vector<float> logits = randomLogits(1000, 5, 2);
    const auto run = [&](uint64_t seed) {
        SamplingParams p;
        p.temperature = 1.5f;
        SamplerChain chain(p, 1000, seed);
        std::vector<int32_t> ids;
        for (int i = 0; i < 50; ++i) ids.push_back(chain.pick(logits, {}, 0)->id.value);
        return ids;
    };
    CHECK(run(42) == run(42));
    CHECK(run(42) != run(43));
    // The generator's own numbers: they may never change.
    SamplingRandom random(42);
    const uint64_t first = random.next();
    CHECK_EQ(first, uint64_t{1546998764402558742});
    CHECK_EQ(random.next(), uint64_t{6990951692964543102});
}

TEST(drawsFollowTheDistribution) {
    const std::vector<double> probs{0.05, 0.6, 0.2, 0.15};
    const std::vector<float> logits = logitsOf(probs);
    SamplerChain chain(plain(), 4, 7);
    std::vector<int> counts(4);
    constexpr int kDraws = 40'000;
    for (int i = 0; i < kDraws; ++i)
        ++counts[static_cast<size_t>(chain.pick(logits, {}, 0)->id.value)];
    // Deterministic; five deviations of a fair draw would be 0.012.
    for (size_t i = 0; i < 4; ++i) CHECK_NEAR(double(counts[i]) / kDraws, probs[i], 0.012);
}

TEST(aCutTokenIsNeverDrawn) {
    const std::vector<float> logits = randomLogits(300, 11, 1);
    for (const float topP : {0.1f, 0.5f, 0.9f, 0.999f}) {
        SamplingParams p = plain();
        p.topP = topP;
        SamplerChain chain(p, 300, 3);
        for (int i = 0; i < 200; ++i) {
            const Sampled s = *chain.pick(logits, {}, 300);
            const auto& c = s.candidates[static_cast<size_t>(s.rank)];
            CHECK(c.id == s.id && c.cutBy == 0 && c.sampledProb > 0);
            double sum = 0;
            for (const Candidate& other : s.candidates) sum += other.sampledProb;
            CHECK_NEAR(sum, 1, 1e-5);
        }
    }
}

TEST(massSelectionMatchesASort) {
    for (const float scale : {0.01f, 1.0f, 8.0f, 40.0f}) {
        const std::vector<float> logits = randomLogits(5000, 17, scale);
        for (const double mass : {0.1, 0.5, 0.9, 0.99, 0.9999}) {
            SamplingParams p = plain();
            p.topP = static_cast<float>(mass);
            const Sampled s = pickOnce(p, logits);  // candidates: all, best first
            double sum = 0;
            for (const Candidate& c : s.candidates) sum += c.rawProb;
            double reached = 0;
            size_t kept = 0;
            while (kept < s.candidates.size() && reached < mass * sum) {
                reached += s.candidates[kept++].rawProb;
            }
            size_t stillThere = 0;
            for (size_t i = 0; i < s.candidates.size(); ++i) {
                if (s.candidates[i].cutBy != 0) continue;
                CHECK_EQ(i, stillThere);  // a prefix of the sorted list
                ++stillThere;
            }
            CHECK_NEAR(double(stillThere), double(kept), 1);
        }
    }
}

TEST(numbersThatAreNotFiniteAreAnError) {
    // Facts E17: all-NaN logits were sampled as a token by a peer.
    const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity()};
    for (const float value : bad) {
        for (size_t at = 0; at < 11; ++at) {
            std::vector<float> logits(11, 1);
            logits[at] = value;
            SamplerChain chain(SamplingParams{}, 11, 1);
            const auto r = chain.pick(logits, {}, 5);
            CHECK(!r && r.error().message.find("no finite numbers") != std::string::npos);
        }
    }
    SamplerChain chain(SamplingParams{}, 11, 1);
    const std::vector<float> few(10);
    CHECK(!chain.pick(few, {}, 5) && !chain.pick({}, {}, 5));
}

TEST(aLargeVocabularyIsFast) {
    const std::vector<float> logits = randomLogits(152'064, 1, 2.5f);
    std::vector<TokenId> recent;
    for (int i = 0; i < 64; ++i) recent.push_back(TokenId(i * 100));
    const auto measure = [&](const char* name, const SamplingParams& p) {
        SamplerChain chain(p, 152'064, 1);
        std::vector<double> times;
        for (int i = 0; i < 20; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            CHECK(chain.pick(logits, recent, 10).has_value());
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                    .count());
        }
        std::sort(times.begin(), times.end());
        std::printf("  %s: median %.3f ms\n", name, times[10]);
        return times[10];
    };
    SamplingParams p;
    p.repeatPenalty = 1.1f;
    CHECK(measure("defaults with a repeat penalty", p) < 100);
    p.topK = 0;
    measure("top-k off", p);
    p.typicalP = 0.9f;
    measure("top-k off, typical on", p);
    p.temperature = 0;
    measure("greedy", p);
}

VITRINE_TEST_MAIN()
