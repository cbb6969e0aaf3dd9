#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "engine/cli/arguments.h"
#include "engine/cli/base64.h"
#include "engine/cli/json_lines.h"
#include "engine/cli/npy_writer.h"
#include "engine/cli/numbers.h"
#include "tests/support/mini_test.h"

using namespace vitrine::engine;
using namespace vitrine::engine::cli;

namespace {

const std::vector<OptionSpec> kOptions{
    {"-n", "--predict", "N", "a number"},   {"--ids", nullptr, "1,2", "ids"},
    {"--json", nullptr, nullptr, "a flag"}, {"--stop", nullptr, "TEXT", "a text", true},
    {"--rows", nullptr, "a:b", "a range"},
};

Result<Arguments> parse(std::vector<std::string> words) {
    return Arguments::parse(kOptions, words);
}

}  // namespace

TEST(options_are_found_by_either_name_and_with_an_equals_sign) {
    auto a = parse({"--predict", "7", "--stop=x=y", "--stop", "", "--json"});
    CHECK(a.has_value());
    CHECK_EQ(a->integer("-n", 0, 0, 10), 7);
    CHECK_EQ(a->values("--stop").size(), size_t{2});
    CHECK_EQ(a->values("--stop")[0], std::string("x=y"));
    CHECK(a->has("--json"));
    CHECK(!a->has("--rows"));
    CHECK(a->ok());
}

TEST(a_negative_number_is_a_value) {
    auto a = parse({"-n", "-1"});
    CHECK(a.has_value());
    CHECK_EQ(a->integer("-n", 0, -5, 10), -1);
}

TEST(mistakes_on_the_command_line_are_refused) {
    CHECK(!parse({"--nope"}));
    CHECK(!parse({"word"}));
    CHECK(!parse({"-n"}));
    CHECK(!parse({"-n", "1", "--predict", "2"}));
    CHECK(!parse({"--json=1"}));
    CHECK(parse({"-n", "1"}).has_value());
}

TEST(values_out_of_range_are_recorded_once) {
    auto a = parse({"-n", "11", "--ids", "1,x"});
    CHECK_EQ(a->integer("-n", 3, 0, 10), 3);
    CHECK(!a->ok());
    CHECK(a->ids("--ids").empty());
    CHECK(a->error().find("-n takes") == 0);
    for (const char* bad : {"1.5", "0x1", "", " 1", "99999999999999999999"}) {
        auto b = parse({"-n", bad});
        b->integer("-n", 0, 0, 10);
        CHECK(!b->ok());
    }
}

TEST(ranges_are_half_open_and_checked) {
    auto whole = parse({});
    CHECK_EQ(whole->range("--rows", 9)->second, 9);
    auto some = parse({"--rows", "2:5"});
    CHECK_EQ(some->range("--rows", 9)->first, 2);
    CHECK_EQ(some->range("--rows", 9)->second, 5);
    for (const char* bad : {"5:2", "3", "0:10", "-1:3", "3:3", "a:b"}) {
        auto a = parse({"--rows", bad});
        CHECK(!a->range("--rows", 9).has_value());
        CHECK(!a->ok());
    }
}

// RFC 4648, section 10.
TEST(base64_gives_the_vectors_of_its_definition) {
    CHECK_EQ(encodeBase64(""), std::string(""));
    CHECK_EQ(encodeBase64("f"), std::string("Zg=="));
    CHECK_EQ(encodeBase64("fo"), std::string("Zm8="));
    CHECK_EQ(encodeBase64("foo"), std::string("Zm9v"));
    CHECK_EQ(encodeBase64("foobar"), std::string("Zm9vYmFy"));
    CHECK_EQ(encodeBase64(std::string("\xff\x00\xfe", 3)), std::string("/wD+"));
}

TEST(npy_files_have_an_aligned_header_and_all_values) {
    const std::string path = "tst_cli_parts.npy";
    const std::vector<float> values{1.5f, -2.0f, 0.25f, 3.0f, 4.0f, 5.0f};
    {
        auto writer = NpyWriter::create(path, {2, 3});
        CHECK(writer.has_value());
        writer->write(std::span(values).first(2));
        writer->write(std::span(values).subspan(2));
        CHECK(writer->finish().has_value());
    }
    std::ifstream in(path, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    const std::string bytes = all.str();
    CHECK_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const size_t headerBytes = 10 + static_cast<uint8_t>(bytes[8]) +
                               256 * static_cast<size_t>(static_cast<uint8_t>(bytes[9]));
    CHECK_EQ(headerBytes % 64, size_t{0});
    CHECK(bytes.find("'shape': (2, 3, )") != std::string::npos);
    CHECK_EQ(bytes.size(), headerBytes + 6 * sizeof(float));
    CHECK(std::memcmp(bytes.data() + headerBytes, values.data(), 6 * sizeof(float)) == 0);
    std::remove(path.c_str());
}

TEST(an_npy_file_that_was_not_finished_is_removed) {
    const std::string path = "tst_cli_unfinished.npy";
    {
        auto writer = NpyWriter::create(path, {3});
        const float one = 1;
        writer->write({&one, 1});
        CHECK(!writer->finish().has_value());
    }
    CHECK(!std::ifstream(path).good());
    CHECK(!NpyWriter::create("/no/such/folder/x.npy", {1}));
}

TEST(log_sum_exp_is_taken_in_double) {
    const std::vector<float> logits{1000.0f, 1000.0f};
    CHECK_NEAR(logSumExp(logits), 1000 + std::log(2.0), 1e-12);
    // A hundred thousand small terms beside one of 1 would vanish in float32 sums.
    std::vector<float> many(100001, -16.0f);
    many[0] = 0;
    CHECK_NEAR(logSumExp(many), std::log1p(100000 * std::exp(-16.0)), 1e-10);
}

TEST(top_logits_come_best_first_and_equal_ones_by_id) {
    const std::vector<float> logits{0.0f, 2.0f, 2.0f, 1.0f};
    const auto top = topLogProbabilities(logits, logSumExp(logits), 3);
    CHECK_EQ(top.size(), size_t{3});
    CHECK_EQ(top[0].first, 1);
    CHECK_EQ(top[1].first, 2);
    CHECK_EQ(top[2].first, 3);
    CHECK_NEAR(top[0].second - top[2].second, 1.0, 1e-12);
    CHECK_EQ(topLogProbabilities(logits, 0, 99).size(), size_t{4});
}

TEST(medians) {
    CHECK_EQ(median({3, 1, 2}), 2.0);
    CHECK_EQ(median({4, 1, 2, 3}), 2.5);
    CHECK_EQ(median({}), 0.0);
}

TEST(lines_are_checked_by_type) {
    auto line = JsonLine::parse(R"({"ids":[1,2],"n":5,"text":"a","flag":true,"none":null})");
    CHECK(line.has_value());
    CHECK_EQ(line->ids("ids").size(), size_t{2});
    CHECK_EQ(line->integer("n", 0, 0, 9), 5);
    CHECK_EQ(line->text("text").value_or(""), std::string("a"));
    CHECK(line->boolean("flag", false));
    CHECK(!line->has("none"));
    CHECK(!line->error().has_value());
    CHECK_EQ(line->integer("n", 0, 0, 4), 0);
    CHECK(line->error().has_value());
    for (const char* bad :
         {R"({"ids":[1,-2]})", R"({"ids":"1"})", R"({"ids":[1.5]})", R"({"ids":[4294967296]})"}) {
        auto other = JsonLine::parse(bad);
        CHECK(other->ids("ids").empty());
        CHECK(other->error().has_value());
    }
    CHECK(!JsonLine::parse("[1]"));
    CHECK(!JsonLine::parse("{"));
}

TEST(messages_need_role_and_text) {
    auto good = JsonLine::parse(R"({"messages":[{"role":"user","content":"hi"}]})");
    CHECK_EQ(good->messages("messages").size(), size_t{1});
    auto bad = JsonLine::parse(R"({"messages":[{"role":"user","content":null}]})");
    CHECK(bad->messages("messages").empty());
    CHECK(bad->error().has_value());
}

VITRINE_TEST_MAIN()
