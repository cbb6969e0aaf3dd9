#include "engine/text/bpe_merger.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace vitrine::engine {

namespace {

uint64_t pairKey(uint32_t left, uint32_t right) {
    return (uint64_t{left} << 32) | right;
}

}  // namespace

MergeTable::MergeTable(size_t count) : slots_(std::bit_ceil(2 * count + 2)) {}

size_t MergeTable::slotOf(uint64_t pair) const noexcept {
    // Multiplicative hashing (Knuth, TAOCP 3, 6.4) on a folded key; linear probing.
    uint64_t h = (pair ^ (pair >> 29)) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
    size_t i = h & (slots_.size() - 1);
    while (slots_[i].pair != kFree && slots_[i].pair != pair) i = (i + 1) & (slots_.size() - 1);
    return i;
}

void MergeTable::add(uint32_t left, uint32_t right, Merge merge) {
    Slot& slot = slots_[slotOf(pairKey(left, right))];
    if (slot.pair == kFree) slot = {pairKey(left, right), merge};
}

const MergeTable::Merge* MergeTable::find(uint32_t left, uint32_t right) const noexcept {
    const Slot& slot = slots_[slotOf(pairKey(left, right))];
    return slot.pair == kFree ? nullptr : &slot.merge;
}

void BpeMerger::lookUp(uint32_t i, const MergeTable& table) {
    Node& node = nodes_[i];
    node.rank = kNone;
    if (node.next == kNone) return;
    ++lookUps_;
    if (const auto* merge = table.find(node.symbol, nodes_[node.next].symbol)) {
        node.rank = merge->rank;
        node.result = merge->result;
    }
}

/// Joins node i with the next one and looks up the pairs that this makes.
void BpeMerger::join(uint32_t i, const MergeTable& table) {
    Node& left = nodes_[i];
    Node& right = nodes_[left.next];
    left.symbol = left.result;
    left.next = right.next;
    right.rank = kNone;  // merged away, so that its entries are stale
    if (left.next != kNone) nodes_[left.next].prev = i;
    lookUp(i, table);
    if (left.prev != kNone) lookUp(left.prev, table);
}

void BpeMerger::mergeShort(const MergeTable& table) {
    const auto entry = [&](uint32_t i) { return (uint64_t{nodes_[i].rank} << 32) | i; };
    for (uint32_t i = 0; i + 1 < nodes_.size(); ++i)
        if (nodes_[i].rank != kNone) heap_.push_back(entry(i));
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
    const auto push = [&](uint32_t i) {
        if (i == kNone || nodes_[i].rank == kNone) return;
        heap_.push_back(entry(i));
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    };
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        const uint64_t top = heap_.back();
        heap_.pop_back();
        const auto i = static_cast<uint32_t>(top);
        if (nodes_[i].rank != static_cast<uint32_t>(top >> 32)) continue;
        join(i, table);
        push(i);
        push(nodes_[i].prev);
    }
}

void BpeMerger::addPlace(uint32_t i) {
    if (i == kNone || nodes_[i].rank == kNone) return;
    const uint32_t rank = nodes_[i].rank;
    const auto [it, isNew] = bucketOf_.emplace(rank, static_cast<uint32_t>(buckets_.size()));
    if (isNew) buckets_.push_back({rank, 0, {}, true});
    Bucket& bucket = buckets_[it->second];
    if (bucket.next == bucket.places.size()) {
        bucket.places.clear();
        bucket.next = 0;
        bucket.isSorted = true;
        heap_.push_back((uint64_t{rank} << 32) | it->second);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
    bucket.isSorted = bucket.isSorted && (bucket.places.empty() || bucket.places.back() < i);
    bucket.places.push_back(i);
}

/// The same order, but all places of a rank together from left to right: memory is walked instead
/// of jumped through, which is what a long piece costs.
void BpeMerger::mergeLong(const MergeTable& table) {
    buckets_.clear();
    bucketOf_.clear();
    for (uint32_t i = 0; i + 1 < nodes_.size(); ++i) addPlace(i);
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        const uint64_t top = heap_.back();
        heap_.pop_back();
        const auto index = static_cast<uint32_t>(top);
        const auto rank = static_cast<uint32_t>(top >> 32);
        {
            Bucket& bucket = buckets_[index];
            const auto from = bucket.places.begin() + static_cast<std::ptrdiff_t>(bucket.next);
            if (!bucket.isSorted) std::sort(from, bucket.places.end());
            bucket.isSorted = true;
        }
        while (buckets_[index].next < buckets_[index].places.size()) {
            const uint32_t i = buckets_[index].places[buckets_[index].next++];
            if (nodes_[i].rank != rank) continue;
            join(i, table);
            addPlace(i);
            addPlace(nodes_[i].prev);
            // Only a table that no training made gives a new pair a smaller rank.
            if (!heap_.empty() && static_cast<uint32_t>(heap_.front() >> 32) < rank) {
                if (buckets_[index].next < buckets_[index].places.size()) {
                    heap_.push_back(top);
                    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
                }
                break;
            }
        }
    }
}

void BpeMerger::merge(std::vector<Symbol>& symbols, const MergeTable& table) {
    constexpr uint32_t kShort = 512;
    const auto n = static_cast<uint32_t>(symbols.size());
    if (n < 2) return;
    nodes_.resize(n);
    heap_.clear();
    for (uint32_t i = 0; i < n; ++i)
        nodes_[i] = {symbols[i].symbol, i == 0 ? kNone : i - 1, i + 1 == n ? kNone : i + 1, kNone,
                     0};
    for (uint32_t i = 0; i + 1 < n; ++i) lookUp(i, table);
    if (n <= kShort)
        mergeShort(table);
    else
        mergeLong(table);
    size_t kept = 0;
    for (uint32_t i = 0; i != kNone; i = nodes_[i].next) {
        const uint32_t next = nodes_[i].next;
        // kept <= i, so that nothing is overwritten before it is read.
        symbols[kept++] = {nodes_[i].symbol, symbols[i].begin,
                           next == kNone ? symbols[n - 1].end : symbols[next].begin};
    }
    symbols.resize(kept);
}

}  // namespace vitrine::engine
