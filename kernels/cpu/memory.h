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

}  // namespace vitrine::kernels::cpu
