#pragma once
// The random numbers of sampling: xoshiro256** whose state is filled by splitmix64 from the seed.
// Written out here so that a seed gives the same tokens on every machine and standard library.
// Thread: one at a time.
// Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021);
// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).

#include <bit>
#include <cstdint>

namespace vitrine::engine {

class SamplingRandom {
public:
    explicit SamplingRandom(uint64_t seed) noexcept {
        for (uint64_t& word : state_) {
            seed += 0x9e3779b97f4a7c15u;
            uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
            word = z ^ (z >> 31);
        }
    }

    uint64_t next() noexcept {
        const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// In [0, 1), 53 bits.
    double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    uint64_t state_[4];
};

}  // namespace vitrine::engine
