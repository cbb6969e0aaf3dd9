#pragma once
// Memory of the CPU backend: 64-byte aligned blocks, with huge pages advised from 2 MiB up, and
// address ranges that take memory only where they are committed. Thread: any.

#include <cstddef>

namespace vitrine::kernels::cpu {

/// Fails: null = out of memory. Large blocks come zeroed, small ones do not.
void* allocate(size_t bytes) noexcept;
void release(void* ptr, size_t bytes) noexcept;  ///< bytes as given to allocate. Never fails.

/// Fails: null = no address space left.
void* reserve(size_t bytes) noexcept;
/// Makes the pages that [ptr, ptr + bytes) touches usable. Fails: false = out of memory.
bool commit(void* ptr, size_t bytes) noexcept;
/// Gives back the pages that lie wholly inside the range; their content is lost. Never fails.
void decommit(void* ptr, size_t bytes) noexcept;
void releaseReserved(void* ptr, size_t bytes) noexcept;  ///< Never fails.

/// A block that can only grow, for scratch. Content is lost when it grows.
class Block {
public:
    Block() = default;

    ~Block() { release(data_, size_); }

    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    /// Fails: false = out of memory; the block keeps its old size.
    bool grow(size_t bytes) noexcept;

    void* data() const noexcept { return data_; }

    size_t size() const noexcept { return size_; }

private:
    void* data_ = nullptr;
    size_t size_ = 0;
};

/// Room for weight matrices. Those smaller than a huge page share slabs of huge pages with their
/// neighbours: with 4 KiB pages the decode of a small model loses a sixth of its bandwidth. A slab
/// is given back when its last block is. Thread: the owner's.
class Arena {
public:
    Arena() = default;
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// 64-byte aligned. Fails: null = out of memory.
    void* allocate(size_t bytes) noexcept;
    /// ptr, bytes as from allocate. Never fails.
    void release(void* ptr, size_t bytes) noexcept;

private:
    struct Slab {
        Slab* next;
        char* data;
        size_t used;
        int nLive;
    };

    Slab* slabs_ = nullptr;  ///< the first is the one being filled
};

}  // namespace vitrine::kernels::cpu
