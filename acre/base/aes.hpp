// SPDX-License-Identifier: BSD-3-Clause
// AES-128 (FIPS 197) of single blocks, by the processor's instructions, in assembler: callers need
// no compiler option and can inline them.
#pragma once

#include <acre/base/keyed_hash.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace acre::base {

/// Little-endian words.
using aes_block [[gnu::vector_size(16)]] = std::uint64_t;

/// True if encrypt() may be called.
[[nodiscard]] bool processor_has_aes() noexcept;

class aes_key {
 public:
  aes_key() = default;
  explicit aes_key(const secret_key& key) noexcept;

  [[nodiscard]] aes_block first() const noexcept { return rounds_[0]; }

  [[nodiscard]] aes_block encrypt(aes_block block) const noexcept {
    return encrypt_sum(block ^ first());
  }

  /// Encrypts a block to which first() has been added: 10 instructions.
  [[nodiscard, gnu::always_inline]] inline aes_block encrypt_sum(aes_block block) const noexcept {
#if defined(__x86_64__)
#pragma GCC unroll 9
    for (std::size_t i = 1; i < last; ++i) asm("aesenc %1, %0" : "+x"(block) : "m"(rounds_[i]));
    asm("aesenclast %1, %0" : "+x"(block) : "m"(rounds_[last]));
#elif defined(__aarch64__)
    // The instruction adds the key before the substitution, not after it.
    block ^= first();
#pragma GCC unroll 9
    for (std::size_t i = 0; i + 1 < last; ++i) {
      asm(".arch_extension aes\n\taese %0.16b, %1.16b\n\taesmc %0.16b, %0.16b"
          : "+w"(block)
          : "w"(rounds_[i]));
    }
    asm(".arch_extension aes\n\taese %0.16b, %1.16b" : "+w"(block) : "w"(rounds_[last - 1]));
    block ^= rounds_[last];
#endif
    return block;
  }

 private:
  static constexpr std::size_t last = 10;

  std::array<aes_block, last + 1> rounds_{};
};

}  // namespace acre::base
