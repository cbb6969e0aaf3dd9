// The normalisation rules of a SentencePiece model are a darts-clone double array that the library
// follows without looking at its bounds. Source: darts-clone 0.32g, include/darts.h
// (Details::DoubleArrayUnit, commonPrefixSearch); sentencepiece v0.1.97, src/normalizer.cc.

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/text/spm_model.h"
#include "engine/text/unicode.h"

namespace vitrine::engine {

namespace {

/// The library collects at most this many matches along one path.
constexpr uint32_t kMaxMatches = 32;

struct Unit {
    uint32_t bits = 0;

    bool hasLeaf() const { return ((bits >> 8) & 1) != 0; }

    uint32_t value() const { return bits & 0x7FFFFFFFu; }

    uint32_t label() const { return bits & 0x800000FFu; }

    uint32_t offset() const { return (bits >> 10) << ((bits & 0x200u) >> 6); }
};

/// Walks the trie once; nodes may be shared, so what lies below one is remembered.
class TrieCheck {
public:
    TrieCheck(std::vector<Unit> units, size_t textBytes)
        : units_(std::move(units)), textBytes_(textBytes), below_(units_.size(), kUnseen) {}

    bool isSafe();

private:
    struct Open {
        uint32_t node = 0;
        uint32_t next = 0;       ///< byte to try next
        uint32_t child = 0;      ///< node below, being looked at
        uint32_t childLeaf = 0;  ///< 1 when the step to it is a match
        uint32_t most = 0;       ///< matches along the best path so far
        bool waits = false;      ///< for child
    };

    static constexpr uint32_t kUnseen = ~uint32_t{0}, kOpen = kUnseen - 1;

    bool isInside(uint32_t node) const { return (node | 0xFFu) < units_.size(); }

    bool step(Open& top, bool& descends);

    std::vector<Unit> units_;
    size_t textBytes_;
    std::vector<uint32_t> below_;  ///< matches along the longest path below a node
};

/// Moves one node forward until it is done or a child must be looked at first; false: unsafe.
bool TrieCheck::step(Open& top, bool& descends) {
    descends = false;
    if (top.waits) {
        top.most = std::max(top.most, below_[top.child] + top.childLeaf);
        top.waits = false;
    }
    for (; top.next < 256; ++top.next) {
        const uint32_t at = top.node ^ top.next;
        const Unit unit = units_[at];
        if (unit.label() != top.next) continue;
        const uint32_t child = at ^ unit.offset();
        if (!isInside(child)) return false;
        if (unit.hasLeaf() && units_[child].value() >= textBytes_) return false;
        if (below_[child] == kOpen) return false;  // a cycle
        top.child = child;
        top.childLeaf = unit.hasLeaf() ? 1 : 0;
        if (below_[child] == kUnseen) {
            top.waits = true;
            descends = true;
            ++top.next;
            return true;
        }
        top.most = std::max(top.most, below_[child] + top.childLeaf);
    }
    return top.most <= kMaxMatches;
}

bool TrieCheck::isSafe() {
    const uint32_t root = units_[0].offset();
    if (!isInside(root)) return false;
    std::vector<Open> path;
    const auto open = [&](uint32_t node) {
        below_[node] = kOpen;
        path.push_back({});
        path.back().node = node;
    };
    open(root);
    while (!path.empty()) {
        bool descends = false;
        if (!step(path.back(), descends)) return false;
        if (descends) {
            open(path.back().child);
        } else {
            below_[path.back().node] = path.back().most;
            path.pop_back();
        }
    }
    return true;
}

bool isValidUtf8(std::string_view text) {
    for (size_t pos = 0; pos < text.size();) {
        const CodePoint c = decodeUtf8(text, pos);
        if (!c.isValid) return false;
        pos += c.nBytes;
    }
    return true;
}

}  // namespace

bool isSafeCharsMap(std::string_view blob) {
    uint32_t trieBytes = 0;
    if (blob.size() <= sizeof trieBytes) return false;
    std::memcpy(&trieBytes, blob.data(), sizeof trieBytes);
    blob.remove_prefix(sizeof trieBytes);
    if (trieBytes >= blob.size() || trieBytes == 0 || trieBytes % sizeof(Unit) != 0) return false;
    const std::string_view texts = blob.substr(trieBytes);
    if (texts.back() != '\0' || !isValidUtf8(texts)) return false;
    std::vector<Unit> units(trieBytes / sizeof(Unit));
    std::memcpy(units.data(), blob.data(), trieBytes);
    return TrieCheck(std::move(units), texts.size()).isSafe();
}

}  // namespace vitrine::engine
