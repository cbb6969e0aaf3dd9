// Whose sampling value is in force: the user's, the model's, or the program's, one by one.

#include <limits>

#include "engine/runtime/recommended_sampling.h"
#include "tests/engine/memory_model_file.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;
using vitrine::test::MemoryModelFile;

TEST(a_model_recommends_what_it_names) {
    MemoryModelFile file;
    CHECK_EQ(readRecommendedSampling(file).fields, 0u);
    file.set("general.sampling.temp", 0.6)
        .set("general.sampling.top_k", int64_t{20})
        .set("general.sampling.top_p", 0.95)
        .set("general.sampling.min_p", 0.0)
        .set("general.sampling.penalty_repeat", 1.05)
        .set("general.sampling.penalty_last_n", int64_t{-1});
    const RecommendedSampling model = readRecommendedSampling(file);
    CHECK_EQ(model.params.temperature, 0.6f);
    CHECK_EQ(model.params.topK, 20);
    CHECK_EQ(model.params.topP, 0.95f);
    CHECK_EQ(model.params.minP, 0.0f);
    CHECK_EQ(model.params.repeatPenalty, 1.05f);
    CHECK_EQ(model.params.repeatLastN, -1);
    CHECK(model.ignored.empty());
    CHECK(samplingSource(SamplingField::Temperature, 0, model) == SamplingSource::Model);
    CHECK(samplingSource(SamplingField::TypicalP, 0, model) == SamplingSource::Program);
}

TEST(the_user_goes_before_the_model_before_the_program) {
    MemoryModelFile file;
    file.set("general.sampling.temp", 0.6).set("general.sampling.top_k", int64_t{20});
    const RecommendedSampling model = readRecommendedSampling(file);
    SamplingParams user;
    user.temperature = 1.5f;
    user.topK = 7;
    user.seed = 42;
    const SamplingFields chosen = fieldBit(SamplingField::Temperature);
    const SamplingParams p = effectiveSampling(user, chosen, model);
    CHECK_EQ(p.temperature, 1.5f);            // the user's
    CHECK_EQ(p.topK, 20);                     // the model's: 7 was not chosen
    CHECK_EQ(p.topP, SamplingParams().topP);  // the program's
    CHECK(p.seed == std::optional<uint64_t>(42));
    // A choice that equals the program's value is a choice.
    CHECK_EQ(effectiveSampling({}, chosen, model).temperature, SamplingParams().temperature);
    CHECK(samplingSource(SamplingField::Temperature, chosen, model) == SamplingSource::User);
    CHECK(effectiveSampling({}, 0, {}) == SamplingParams());
}

TEST(impossible_recommendations_are_passed_over) {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const MetaValue& bad : {MetaValue(-1.0), MetaValue(infinite), MetaValue(1e30),
                                 MetaValue(std::string("hot")), MetaValue(true)}) {
        MemoryModelFile file;
        file.set("general.sampling.temp", bad).set("general.sampling.top_p", bad);
        CHECK_EQ(readRecommendedSampling(file).fields, 0u);
    }
    MemoryModelFile file;
    file.set("general.sampling.top_k", int64_t{-1});
    CHECK_EQ(readRecommendedSampling(file).params.topK, 0);  // off
    file.set("general.sampling.top_k", int64_t{1} << 40);
    CHECK_EQ(readRecommendedSampling(file).fields, 0u);
}

TEST(what_the_chain_lacks_is_named) {
    MemoryModelFile file;
    file.set("general.sampling.xtc_probability", 0.5).set("general.sampling.mirostat", int64_t{0});
    const RecommendedSampling model = readRecommendedSampling(file);
    CHECK_EQ(model.ignored.size(), 1u);
    CHECK_EQ(model.ignored[0], std::string("xtc_probability"));
}

TEST(changed_fields_of_old_settings) {
    SamplingParams p;
    CHECK_EQ(changedFields(p), 0u);
    p.topP = 0.5f;
    p.frequencyPenalty = 1;
    p.seed = 3;  // no field of a recommendation
    CHECK_EQ(changedFields(p),
             fieldBit(SamplingField::TopP) | fieldBit(SamplingField::FrequencyPenalty));
}

VITRINE_TEST_MAIN()
