#pragma once
// The merge loop of byte-pair encoding over symbols: bytes or characters, and what merges make of
// them. Thread: MergeTable is immutable after it is filled, any thread; BpeMerger is a work space,
// one owner.

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vitrine::engine {

/// Pair of symbols → rank and result, open addressing.
class MergeTable {
public:
    struct Merge {
        uint32_t rank = 0;  ///< smaller goes first
        uint32_t result = 0;
    };

    /// Room for `count` merges.
    explicit MergeTable(size_t count);

    /// The first merge of a pair stays. Requires: at most `count` calls.
    void add(uint32_t left, uint32_t right, Merge merge);

    /// Null when the pair does not merge. Never fails.
    const Merge* find(uint32_t left, uint32_t right) const noexcept;

private:
    struct Slot {
        uint64_t pair = kFree;
        Merge merge;
    };

    static constexpr uint64_t kFree = ~uint64_t{0};

    size_t slotOf(uint64_t pair) const noexcept;

    std::vector<Slot> slots_;  ///< power of two, at most half full
};

class BpeMerger {
public:
    struct Symbol {
        uint32_t symbol = 0;
        uint32_t begin = 0, end = 0;  ///< bytes of the piece
    };

    static constexpr size_t kMaxSymbols = size_t{1} << 30;

    /// Merges the pair of lowest rank, leftmost first, until none is left. n log n in the number n
    /// of symbols, which follow one another. Requires: at most kMaxSymbols. Never fails.
    void merge(std::vector<Symbol>& symbols, const MergeTable& table);

    /// Pairs looked up so far, for tests of the growth.
    uint64_t lookUps() const noexcept { return lookUps_; }

private:
    struct Node {
        uint32_t symbol = 0;
        uint32_t prev = 0, next = 0;    ///< kNone at the ends
        uint32_t rank = 0, result = 0;  ///< of the pair with the next node; kNone: no merge
    };

    static constexpr uint32_t kNone = ~uint32_t{0};

    /// Places whose pair has one rank.
    struct Bucket {
        uint32_t rank = 0;
        size_t next = 0;  ///< of places, the first that is not done
        std::vector<uint32_t> places;
        bool isSorted = true;
    };

    void lookUp(uint32_t i, const MergeTable& table);
    void join(uint32_t i, const MergeTable& table);
    void mergeShort(const MergeTable& table);
    void mergeLong(const MergeTable& table);
    void addPlace(uint32_t i);

    std::vector<Node> nodes_;
    std::vector<uint64_t> heap_;  ///< short: rank << 32 | node; long: rank << 32 | bucket; entries
                                  ///< whose rank is stale are skipped
    std::vector<Bucket> buckets_;
    std::unordered_map<uint32_t, uint32_t> bucketOf_;  ///< by rank
    uint64_t lookUps_ = 0;
};

}  // namespace vitrine::engine
