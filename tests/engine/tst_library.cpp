// The model library's scan over made-up trees: every kind of store, links in circles, folders that
// cannot be read, damaged files, splits with holes.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "engine/library/library_scanner.h"
#include "engine/library/model_details.h"
#include "tests/support/library_tree.h"
#include "tests/support/mini_test.h"
#include "tests/support/tiny_model.h"

using namespace vitrine;
using namespace vitrine::engine;
using namespace vitrine::test;

namespace {

struct Found {
    std::map<std::string, ModelEntry> byPath;
    std::vector<ScanProblem> problems;
    std::vector<std::string> folders;
    size_t nHeadersRead = 0;
    bool isFinished = false;

    size_t count(ModelKind kind) const {
        return static_cast<size_t>(
            std::count_if(byPath.begin(), byPath.end(),
                          [&](const auto& item) { return item.second.kind == kind; }));
    }

    const ModelEntry* named(const std::string& name) const {
        for (const auto& [path, entry] : byPath)
            if (entry.name == name) return &entry;
        return nullptr;
    }
};

class Scanning {
public:
    explicit Scanning(const std::string& cache = {})
        : scanner(cache, [this] {
              const std::lock_guard lock(mutex_);
              isPoked_ = true;
              wake_.notify_all();
          }) {}

    Found wait() {
        Found found;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!found.isFinished && std::chrono::steady_clock::now() < end) {
            {
                std::unique_lock lock(mutex_);
                wake_.wait_for(lock, std::chrono::milliseconds(200), [this] { return isPoked_; });
                isPoked_ = false;
            }
            LibraryUpdate update = scanner.take();
            for (ModelEntry& entry : update.entries) {
                CHECK(!found.byPath.contains(entry.path));
                found.byPath[entry.path] = std::move(entry);
            }
            for (ScanProblem& problem : update.problems)
                found.problems.push_back(std::move(problem));
            found.folders.insert(found.folders.end(), update.folders.begin(), update.folders.end());
            found.nHeadersRead = update.nHeadersRead;
            found.isFinished = update.isFinished;
        }
        CHECK(found.isFinished);
        return found;
    }

    Found scan(std::vector<LibraryRoot> roots, const ScanLimits& limits = {}) {
        scanner.scan(std::move(roots), limits);
        return wait();
    }

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    bool isPoked_ = false;

public:
    LibraryScanner scanner;  ///< last: its thread pokes the rest
};

Found scanFolder(const LibraryTree& tree, const std::string& path = "") {
    Scanning scanning;
    return scanning.scan({{ModelStore::Folder, tree.at(path)}});
}

const char* const kConfig =
    R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","max_position_embeddings":4096,
        "torch_dtype":"bfloat16"})";

}  // namespace

TEST(depth_names_and_facts) {
    const LibraryTree tree;
    tree.put("top.gguf", smallModel("Top of all").bytes());
    tree.put("a/b/c/d/e/Deep-Model.Q4_0.GGUF", smallModel("Deep").bytes());
    tree.put("a/readme.md", "text");
    tree.put("a/.hidden/x.gguf", smallModel("Hidden").bytes());
    const Found found = scanFolder(tree);
    CHECK_EQ(found.byPath.size(), size_t{2});
    const ModelEntry* deep = found.named("Deep-Model.Q4_0");
    CHECK(deep != nullptr);
    if (deep == nullptr) return;
    CHECK_EQ(deep->title, "Deep");
    CHECK_EQ(deep->detail, "a/b/c/d/e");
    CHECK_EQ(deep->format, "GGUF v3");
    CHECK_EQ(deep->architecture, "llama");
    CHECK_EQ(deep->quantisation, "F32");
    CHECK_EQ(deep->nParameters, uint64_t{12});
    CHECK_EQ(deep->trainedContext, int64_t{512});
    CHECK_EQ(deep->sizeBytes, uint64_t{fs::file_size(deep->path)});
    CHECK(deep->modifiedS > 1'600'000'000);
    CHECK(deep->isSupported);
    CHECK_EQ(deep->problem, "");
    CHECK(found.problems.empty());
}

TEST(what_is_no_model_is_told_apart) {
    const LibraryTree tree;
    tree.put("m/model.gguf", smallModel("M").bytes());
    tree.put("m/mmproj-model.gguf", typed("mmproj", "clip").bytes());
    tree.put("m/lora.gguf", typed("adapter", "llama").bytes());
    tree.put("m/imatrix.gguf", typed("imatrix", "llama").bytes());
    tree.put("m/imatrix.dat", "x");
    GgufWriter vocab;
    vocab.add("general.architecture", "llama");
    vocab.addArray<std::string>("tokenizer.ggml.tokens", std::vector<std::string>(9000, "token"));
    tree.put("m/ggml-vocab-llama.gguf", vocab.bytes());
    std::string cut = smallModel("Cut").bytes();
    cut.resize(cut.size() - 40);
    tree.put("m/cut.gguf", cut);
    tree.put("m/other.gguf.part", "GGUF");
    tree.put("m/film.mp4.part", "x");
    tree.link("m/gone.gguf", "nowhere");
    tree.put("lora/adapter_config.json", "{}");
    tree.put("lora/adapter_model.safetensors", "x");
    const Found found = scanFolder(tree);
    CHECK_EQ(found.count(ModelKind::Model), size_t{1});
    CHECK_EQ(found.count(ModelKind::Projector), size_t{1});
    CHECK_EQ(found.count(ModelKind::Adapter), size_t{2});
    CHECK_EQ(found.count(ModelKind::Imatrix), size_t{2});
    CHECK_EQ(found.count(ModelKind::VocabOnly), size_t{1});
    CHECK_EQ(found.count(ModelKind::Partial), size_t{3});
    CHECK_EQ(found.byPath.size(), size_t{10});
}

TEST(unsupported_ones_say_why) {
    const LibraryTree tree;
    tree.put("mamba.gguf", smallModel("Mamba", "mamba").bytes());
    GgufWriter iq = smallModel("IQ");
    iq.addTensor({"blk.0.ffn_up.weight", {256, 2}, 16, std::string(132, 'x'), {}, {}});
    tree.put("iq.gguf", iq.bytes());
    tree.put("page.gguf", "<!doctype html><p>404");
    tree.put("empty.gguf", "");
    std::string damaged = smallModel("D").bytes();
    damaged[8] = '\x7f', damaged[14] = '\x7f';
    tree.put("damaged.gguf", damaged);
    GgufWriter old = smallModel("Old");
    old.version = 1;
    tree.put("old.gguf", old.bytes());
    const Found found = scanFolder(tree);
    CHECK_EQ(found.byPath.size(), size_t{6});
    const auto why = [&](const char* name, const char* part) {
        const ModelEntry* entry = found.named(name);
        CHECK(entry != nullptr);
        if (entry == nullptr) return;
        CHECK(!entry->isSupported);
        report(entry->problem.find(part) != std::string::npos, __FILE__, __LINE__,
               std::string(name) + ": \"" + entry->problem + "\" contains " + part);
    };
    why("mamba", "\"mamba\"");
    why("iq", "IQ2_XXS");
    why("page", "web page");
    why("empty", "empty");
    why("damaged", "damaged");
    why("old", "version 1");
    CHECK_EQ(found.named("iq")->quantisation, "IQ2_XXS");
}

TEST(links_in_circles_and_twice_the_same) {
    const LibraryTree tree;
    const std::string real = tree.put("real/model.gguf", smallModel("M").bytes());
    tree.link("real/loop", "..");
    tree.link("self", "self");
    tree.link("again", "real");
    tree.link("copy/linked.gguf", real);
    fs::create_hard_link(real, tree.at("copy/hard.gguf"));
    const Found found = scanFolder(tree);
    CHECK_EQ(found.byPath.size(), size_t{1});
    // Overlapping roots as well.
    Scanning scanning;
    const Found both =
        scanning.scan({{ModelStore::Vitrine, tree.at("real")}, {ModelStore::Folder, tree.at("")}});
    CHECK_EQ(both.byPath.size(), size_t{1});
    CHECK(both.byPath.begin()->second.store == ModelStore::Vitrine);
}

TEST(folders_that_cannot_be_read) {
    const LibraryTree tree;
    tree.put("open/model.gguf", smallModel("M").bytes());
    tree.put("closed/model.gguf", smallModel("C").bytes());
    tree.put("open/secret.gguf", smallModel("S").bytes());
    ::chmod(tree.at("closed").c_str(), 0);
    ::chmod(tree.at("open/secret.gguf").c_str(), 0);
    Scanning scanning;
    const Found found = scanning.scan(
        {{ModelStore::Folder, tree.at("")}, {ModelStore::Folder, tree.at("not-there")}});
    ::chmod(tree.at("closed").c_str(), 0700);
    bool isMissingSaid = false, isClosedSaid = false;
    for (const ScanProblem& problem : found.problems) {
        isMissingSaid |= problem.path == tree.at("not-there") && !problem.why.empty();
        isClosedSaid |= problem.path == tree.at("closed") && !problem.why.empty();
    }
    CHECK(isMissingSaid);
    // Root reads everything.
    if (::geteuid() == 0) return;
    CHECK(isClosedSaid);
    CHECK_EQ(found.byPath.size(), size_t{2});
    CHECK(found.named("secret")->problem.find("permi") != std::string::npos);
}

TEST(splits_are_one_model) {
    const LibraryTree tree;
    GgufWriter first = smallModel("Split");
    first.add("split.no", uint16_t{0}).add("split.count", uint16_t{3});
    GgufWriter later;
    later.add("split.no", uint16_t{1}).add("split.count", uint16_t{3});
    later.addTensor("blk.0.attn_q.weight", {4, 4}, std::vector<float>(16, 1.0f));
    const std::string bytes = later.bytes();
    tree.put("whole/big-00001-of-00003.gguf", first.bytes());
    tree.put("whole/big-00002-of-00003.gguf", bytes);
    tree.put("whole/big-00003-of-00003.gguf", bytes);
    tree.put("holes/big-00001-of-00003.gguf", first.bytes());
    tree.put("holes/big-00003-of-00003.gguf", bytes);
    tree.put("headless/big-00002-of-00003.gguf", bytes);
    tree.put("name/not-00009-of-00003.gguf", smallModel("Odd").bytes());
    const Found found = scanFolder(tree);
    CHECK_EQ(found.count(ModelKind::LaterShard), size_t{3});
    const ModelEntry& whole = found.byPath.at(tree.at("whole/big-00001-of-00003.gguf"));
    CHECK_EQ(whole.name, "big");
    CHECK_EQ(whole.nShards, 3);
    CHECK_EQ(whole.missingShards, "");
    CHECK_EQ(whole.nParameters, uint64_t{12 + 16 + 16});
    CHECK_EQ(whole.sizeBytes, uint64_t{first.bytes().size() + 2 * bytes.size()});
    const ModelEntry& holes = found.byPath.at(tree.at("holes/big-00001-of-00003.gguf"));
    CHECK_EQ(holes.missingShards, "2");
    CHECK(holes.problem.find("missing: 2;") != std::string::npos);
    CHECK(!holes.isSupported);
    const ModelEntry& headless = found.byPath.at(tree.at("headless/big-00002-of-00003.gguf"));
    CHECK_EQ(headless.missingShards, "1, 3");
    CHECK(found.named("not-00009-of-00003") != nullptr);
}

TEST(hugging_face_cache) {
    const LibraryTree tree;
    const std::string repo = "hub/models--org--tiny-GGUF/";
    tree.put(repo + "blobs/aaa", smallModel("T").bytes());
    tree.put(repo + "blobs/bbb.incomplete", "GG");
    tree.put(repo + "refs/main", "222");
    tree.link(repo + "snapshots/111/tiny.gguf", "../../blobs/aaa");
    tree.link(repo + "snapshots/222/tiny.gguf", "../../blobs/aaa");
    tree.link(repo + "snapshots/222/gone.gguf", "../../blobs/ccc");
    const std::string folder = "hub/models--org--name--x/snapshots/333/";
    tree.put(folder + "config.json", kConfig);
    tree.put(folder + "model.safetensors", "not one");
    tree.put("hub/datasets--org--d/snapshots/1/d.gguf", smallModel("D").bytes());
    for (const bool isStore : {true, false}) {
        Scanning scanning;
        const Found found = isStore ? scanning.scan({{ModelStore::HuggingFace, tree.at("hub")}})
                                    : scanning.scan({{ModelStore::Folder, tree.at("")}});
        CHECK_EQ(found.count(ModelKind::Model), size_t{2});
        CHECK_EQ(found.count(ModelKind::Partial), size_t{2});
        CHECK(found.byPath.contains(tree.at(repo + "snapshots/222/tiny.gguf")));
        const ModelEntry* gguf = found.named("tiny");
        CHECK(gguf != nullptr && gguf->detail == "org/tiny-GGUF");
        CHECK(gguf != nullptr && gguf->store == ModelStore::HuggingFace);
        const ModelEntry* model = found.named("org/name--x");
        CHECK(model != nullptr);
        if (model == nullptr) continue;
        CHECK_EQ(model->path + "/", tree.at(folder));
        CHECK_EQ(model->format, "safetensors");
        CHECK_EQ(model->architecture, "llama");
        CHECK_EQ(model->trainedContext, int64_t{4096});
        CHECK(model->sizeBytes >= 7);
        CHECK(!model->isSupported && !model->problem.empty());
    }
}

TEST(ollama_store) {
    const LibraryTree tree;
    const std::string hex(64, 'a'), other(64, 'b'), orphan(64, 'c'), gone(64, 'd');
    const auto manifest = [](const std::string& digest, const std::string& type = "model") {
        return R"({"schemaVersion":2,"layers":[{"mediaType":"application/vnd.ollama.image.)" +
               type + R"(","digest":"sha256:)" + digest +
               R"(","size":1},{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:)" +
               std::string(64, 'e') + R"("}]})";
    };
    const std::string manifests = "models/manifests/";
    tree.put(manifests + "registry.ollama.ai/library/llama3/latest", manifest(hex));
    tree.put(manifests + "registry.ollama.ai/library/llama3/8b", manifest(hex));
    tree.put(manifests + "registry.ollama.ai/someone/theirs/v1", manifest(gone));
    tree.put(manifests + "hf.co/org/repo/Q4_0", manifest(other, "projector"));
    tree.put(manifests + "registry.ollama.ai/library/bad/1", "{not json");
    tree.put(manifests + "registry.ollama.ai/library/evil/1", manifest("../../../etc/passwd"));
    tree.put("models/blobs/sha256-" + hex, smallModel("Llama").bytes());
    tree.put("models/blobs/sha256-" + other, typed("mmproj", "clip").bytes());
    tree.put("models/blobs/sha256-" + orphan, smallModel("Orphan").bytes());
    tree.put("models/blobs/sha256-" + std::string(64, 'e'), "a licence");
    tree.put("models/blobs/sha256-" + std::string(64, 'f') + "-partial", "GGUF");
    tree.put("models/blobs/sha256-" + std::string(64, 'f') + "-partial-0", "{}");
    Scanning scanning;
    const Found found = scanning.scan({{ModelStore::Ollama, tree.at("models")}});
    CHECK_EQ(found.count(ModelKind::Model), size_t{2});
    CHECK_EQ(found.count(ModelKind::Projector), size_t{1});
    CHECK_EQ(found.count(ModelKind::Partial), size_t{2});
    const ModelEntry* llama = found.named("llama3:8b");
    CHECK(llama != nullptr && llama->detail == "llama3:latest" && llama->isSupported);
    CHECK(found.named("Orphan") != nullptr);
    CHECK(found.named("someone/theirs:v1") != nullptr);
    CHECK(found.named("hf.co/org/repo:Q4_0") != nullptr);
}

TEST(stores_from_the_environment) {
    const LibraryTree tree;
    for (const char* folder : {"h/.cache/huggingface/hub", "h/.lmstudio/models",
                               "h/.cache/lm-studio/models", "h/.ollama/models", "hf/hub", "hub2"})
        fs::create_directories(tree.at(folder));
    std::map<std::string, std::string> variables{{"HOME", tree.at("h") + "/"}};
    const auto roots = [&] {
        std::vector<LibraryRoot> all =
            knownStores([&](const char* name) { return variables[name]; });
        std::erase_if(all, [](const LibraryRoot& r) { return r.path.starts_with("/usr/"); });
        return all;
    };
    std::vector<LibraryRoot> found = roots();
    CHECK_EQ(found.size(), size_t{4});
    CHECK_EQ(found.front().path, tree.at("h/.cache/huggingface/hub"));
    CHECK(found.back().store == ModelStore::Ollama);
    variables["HF_HOME"] = tree.at("hf");
    CHECK_EQ(roots().front().path, tree.at("hf/hub"));
    variables["HF_HUB_CACHE"] = tree.at("hub2");
    CHECK_EQ(roots().front().path, tree.at("hub2"));
    variables["HF_HUB_CACHE"] = "relative";
    CHECK(roots().front().store == ModelStore::LmStudio);
    variables["OLLAMA_MODELS"] = tree.at("not-there");
    CHECK(roots().back().store == ModelStore::LmStudio);
    variables.clear();
    CHECK(roots().empty());
}

TEST(headers_are_read_once) {
    const LibraryTree tree;
    const std::string path = tree.put("m/a.gguf", smallModel("A").bytes());
    tree.put("m/b.gguf", smallModel("B").bytes());
    tree.put("m/bad.gguf", "nonsense that is no model");
    const std::string cache = tree.at("cache/library.json");
    const std::vector<LibraryRoot> roots{{ModelStore::Folder, tree.at("m")}};
    {
        Scanning scanning(cache);
        CHECK_EQ(scanning.scan(roots).nHeadersRead, size_t{3});
        CHECK_EQ(scanning.scan(roots).nHeadersRead, size_t{0});
        tree.put("m/a.gguf", smallModel("A, longer").bytes());
        const Found again = scanning.scan(roots);
        CHECK_EQ(again.nHeadersRead, size_t{1});
        CHECK_EQ(again.byPath.at(path).title, "A, longer");
    }
    // The next start: what had a problem is looked at again.
    Scanning scanning(cache);
    const Found later = scanning.scan(roots);
    CHECK_EQ(later.nHeadersRead, size_t{1});
    CHECK_EQ(later.byPath.at(path).title, "A, longer");
    CHECK(later.byPath.at(path).isSupported);
    CHECK(!later.named("bad")->problem.empty());
    for (const char* damaged : {"", "{", "[1]", R"({"fingerprint":1,"models":[[1]]})"}) {
        tree.put("cache/library.json", damaged);
        Scanning fresh(cache);
        CHECK_EQ(fresh.scan(roots).byPath.size(), size_t{3});
    }
}

TEST(bounds_and_cancelling) {
    const LibraryTree tree;
    const std::string bytes = smallModel("M").bytes();
    std::string deep = "d";
    for (int i = 0; i < 60; ++i) deep += "/d";
    tree.put(deep + "/deep.gguf", bytes);
    for (int i = 0; i < 300; ++i) tree.put("many/" + std::to_string(i) + ".gguf", bytes);
    Scanning scanning;
    const std::vector<LibraryRoot> roots{{ModelStore::Folder, tree.at("")}};
    ScanLimits limits;
    limits.nCandidates = 100;
    const Found few = scanning.scan(roots, limits);
    CHECK_EQ(few.byPath.size(), size_t{100});
    CHECK_EQ(few.problems.size(), size_t{1});
    const Found all = scanning.scan(roots);
    CHECK_EQ(all.byPath.size(), size_t{300});  // 32 folders deep, and the deepest file left out
    limits = {};
    limits.depth = 100;
    CHECK_EQ(scanning.scan(roots, limits).byPath.size(), size_t{301});
    // A newer scan replaces a running one, and nothing of the older is handed over.
    for (int i = 0; i < 20; ++i) {
        scanning.scanner.scan(roots);
        const uint64_t id = scanning.scanner.scan({{ModelStore::Folder, tree.at("many")}});
        CHECK_EQ(scanning.scanner.take().scanId, id);
        CHECK_EQ(scanning.wait().byPath.size() <= 300, true);
    }
    scanning.scanner.scan(roots);
    scanning.scanner.cancel();
}

TEST(details_of_a_model) {
    const LibraryTree tree;
    const std::string path = tree.put("tiny.gguf", makeTinyModel().bytes());
    std::atomic<bool> never{false};
    const ModelDetails details = readModelDetails(path, never);
    CHECK_EQ(details.problem, "");
    CHECK_EQ(details.architecture, "llama");
    CHECK_EQ(details.nLayers, 2);
    CHECK_EQ(details.nKvHeads, 2);
    CHECK_EQ(details.trainedContext, 512);
    CHECK(details.reasons.empty());
    CHECK(details.tensors.size() > 10);
    CHECK_EQ(details.tensors.front().shape[0], int64_t{64});
    CHECK(details.nParameters > 1000);
    const auto row = [&](const std::string& key) {
        const auto it = std::find_if(details.metadata.begin(), details.metadata.end(),
                                     [&](const MetadataRow& r) { return r.key == key; });
        CHECK(it != details.metadata.end());
        return it != details.metadata.end() ? *it : MetadataRow{};
    };
    CHECK_EQ(row("llama.block_count").value, "2");
    CHECK_EQ(row("general.architecture").type, "text");
    CHECK(row("tokenizer.ggml.tokens").value.ends_with(", …"));
    CHECK_EQ(details.tokenizer.problem, "");
    CHECK(details.tokenizer.vocabSize > 256);
    CHECK(!details.tokenizer.special.empty());
    CHECK_EQ(details.templates.size(), size_t{1});
    CHECK_EQ(details.templates.front().source, "tokenizer.chat_template");
    CHECK(readModelDetails(tree.at("none.gguf"), never).problem.find("no such file") !=
          std::string::npos);
    // The newest request wins.
    std::atomic<int> pokes{0};
    DetailsReader reader([&] { ++pokes; });
    for (int i = 0; i < 20; ++i) reader.read(tree.at("none.gguf"));
    reader.read(path);
    std::shared_ptr<const ModelDetails> got;
    for (int i = 0; i < 500 && got == nullptr; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        got = reader.take();
    }
    CHECK(got != nullptr && got->path == path && got->problem.empty());
}

VITRINE_TEST_MAIN()
