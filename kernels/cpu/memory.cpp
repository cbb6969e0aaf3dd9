#include "kernels/cpu/memory.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace vitrine::kernels::cpu {

namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kAlignment = 64;
constexpr size_t kSlab = size_t{16} << 20;

size_t pageSize() noexcept {
    static const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

size_t roundUp(size_t value, size_t unit) noexcept {
    return (value + unit - 1) / unit * unit;
}

}  // namespace

void* allocate(size_t bytes) noexcept {
    if (bytes > SIZE_MAX / 2) return nullptr;
    if (bytes < kHugePage) {
        return std::aligned_alloc(kAlignment, roundUp(bytes + (bytes == 0), kAlignment));
    }
    // Map one huge page more than needed, then cut the ends off so that the block starts on one.
    const size_t size = roundUp(bytes, pageSize());
    const size_t mapped = size + kHugePage;
    void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    auto* begin = static_cast<char*>(raw);
    const auto address = reinterpret_cast<uintptr_t>(raw);
    const size_t before = roundUp(address, kHugePage) - address;
    if (before > 0) munmap(begin, before);
    if (before < kHugePage) munmap(begin + before + size, kHugePage - before);
    madvise(begin + before, size, MADV_HUGEPAGE);
    return begin + before;
}

void release(void* ptr, size_t bytes) noexcept {
    if (ptr == nullptr) return;
    if (bytes < kHugePage) {
        std::free(ptr);
    } else {
        munmap(ptr, roundUp(bytes, pageSize()));
    }
}

void* reserve(size_t bytes) noexcept {
    if (bytes == 0 || bytes > SIZE_MAX / 2) return nullptr;
    void* ptr = mmap(nullptr, roundUp(bytes, pageSize()), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return ptr == MAP_FAILED ? nullptr : ptr;
}

bool commit(void* ptr, size_t bytes) noexcept {
    if (bytes == 0) return true;
    const auto first = reinterpret_cast<uintptr_t>(ptr) / pageSize() * pageSize();
    const auto last = roundUp(reinterpret_cast<uintptr_t>(ptr) + bytes, pageSize());
    return mprotect(reinterpret_cast<void*>(first), last - first, PROT_READ | PROT_WRITE) == 0;
}

void decommit(void* ptr, size_t bytes) noexcept {
    // The range stays accessible (as zeros), so that neighbours that share a page keep theirs and
    // the kernel's list of mappings does not grow.
    const auto first = roundUp(reinterpret_cast<uintptr_t>(ptr), pageSize());
    const auto last = (reinterpret_cast<uintptr_t>(ptr) + bytes) / pageSize() * pageSize();
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void releaseReserved(void* ptr, size_t bytes) noexcept {
    if (ptr != nullptr) munmap(ptr, roundUp(bytes, pageSize()));
}

Arena::~Arena() {
    while (slabs_ != nullptr) {
        Slab* next = slabs_->next;
        cpu::release(slabs_->data, kSlab);
        delete slabs_;
        slabs_ = next;
    }
}

void* Arena::allocate(size_t bytes) noexcept {
    if (bytes >= kHugePage) return cpu::allocate(bytes);
    const size_t size = roundUp(bytes + (bytes == 0), kAlignment);
    if (slabs_ == nullptr || slabs_->used + size > kSlab) {
        auto* data = static_cast<char*>(cpu::allocate(kSlab));
        if (data == nullptr) return nullptr;
        auto* slab = new (std::nothrow) Slab{slabs_, data, 0, 0};
        if (slab == nullptr) {
            cpu::release(data, kSlab);
            return nullptr;
        }
        slabs_ = slab;
    }
    void* ptr = slabs_->data + slabs_->used;
    slabs_->used += size;
    ++slabs_->nLive;
    return ptr;
}

void Arena::release(void* ptr, size_t bytes) noexcept {
    if (ptr == nullptr) return;
    if (bytes >= kHugePage) return cpu::release(ptr, bytes);
    const auto address = reinterpret_cast<uintptr_t>(ptr);
    for (Slab** link = &slabs_; *link != nullptr; link = &(*link)->next) {
        Slab* slab = *link;
        if (address - reinterpret_cast<uintptr_t>(slab->data) >= kSlab) continue;
        if (--slab->nLive > 0) return;
        *link = slab->next;
        cpu::release(slab->data, kSlab);
        delete slab;
        return;
    }
}

bool Block::grow(size_t bytes) noexcept {
    if (bytes <= size_) return true;
    void* fresh = allocate(bytes);
    if (fresh == nullptr) return false;
    release(data_, size_);
    data_ = fresh;
    size_ = bytes;
    return true;
}

}  // namespace vitrine::kernels::cpu
