#pragma once
// A made-up tree with every kind of model store, in a folder that disappears with its owner.
// Thread: one owner.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/gguf_writer.h"

namespace vitrine::test {

namespace fs = std::filesystem;

class LibraryTree {
public:
    LibraryTree() {
        const char* dir = std::getenv("TMPDIR");
        std::string path = std::string(dir != nullptr ? dir : "/tmp") + "/vitrine-library-XXXXXX";
        root_ = mkdtemp(path.data()) != nullptr ? path : std::string();
    }

    ~LibraryTree() {
        std::error_code none;
        fs::remove_all(root_, none);
    }

    LibraryTree(const LibraryTree&) = delete;
    LibraryTree& operator=(const LibraryTree&) = delete;

    std::string at(const std::string& path) const { return (root_ / path).string(); }

    std::string put(const std::string& path, const std::string& bytes) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path, std::ios::binary) << bytes;
        return at(path);
    }

    void link(const std::string& path, const std::string& target) const {
        fs::create_directories((root_ / path).parent_path());
        fs::create_symlink(target, root_ / path);
    }

private:
    fs::path root_;
};

/// The smallest file that the header alone calls runnable; `name` becomes general.name.
inline GgufWriter smallModel(const std::string& name, const std::string& arch = "llama") {
    GgufWriter w;
    w.add("general.architecture", arch).add("general.name", name);
    w.add(arch + ".block_count", uint32_t{1}).add(arch + ".embedding_length", uint32_t{4});
    w.add(arch + ".feed_forward_length", uint32_t{8});
    w.add(arch + ".attention.head_count", uint32_t{2});
    w.add(arch + ".context_length", uint32_t{512});
    w.add(arch + ".attention.layer_norm_rms_epsilon", 1e-5f);
    w.addTensor("token_embd.weight", {4, 3}, std::vector<float>(12, 1.0f));
    return w;
}

inline GgufWriter typed(const std::string& type, const std::string& arch) {
    GgufWriter w;
    w.add("general.architecture", arch).add("general.type", type);
    w.addTensor("a", {4}, std::vector<float>(4, 1.0f));
    return w;
}

}  // namespace vitrine::test
