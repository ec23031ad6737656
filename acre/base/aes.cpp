// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/aes.hpp>

#include <bit>
#if defined(__aarch64__)
#include <asm/hwcap.h>

#include <sys/auxv.h>
#endif

namespace acre::base {
namespace {

/// Multiplication by x in the field of 2^8 elements.
std::uint8_t doubled(std::uint8_t a) noexcept {
  return static_cast<std::uint8_t>(a << 1 ^ (a >> 7) * 0x1b);
}

std::uint8_t product(std::uint8_t a, std::uint8_t b) noexcept {
  std::uint8_t sum = 0;
  for (; b != 0; b = b >> 1, a = doubled(a)) sum ^= b & 1 ? a : std::uint8_t{0};
  return sum;
}

/// The S-box: a^254, the inverse, and an affine map.
std::uint8_t substitute(std::uint8_t a) noexcept {
  std::uint8_t inverse = 1;
  for (int i = 0; i < 254; ++i) inverse = product(inverse, a);
  std::uint8_t result = 0x63;
  for (int i = 0; i < 5; ++i) result ^= std::rotl(inverse, i);
  return result;
}

std::uint32_t substitute_bytes(std::uint32_t word) noexcept {
  auto bytes = std::bit_cast<std::array<std::uint8_t, 4>>(word);
  for (auto& each : bytes) each = substitute(each);
  return std::bit_cast<std::uint32_t>(bytes);
}

}  // namespace

bool processor_has_aes() noexcept {
#if defined(__x86_64__)
  return __builtin_cpu_supports("aes") != 0;
#elif defined(__aarch64__)
  return (::getauxval(AT_HWCAP) & HWCAP_AES) != 0;
#else
  return false;
#endif
}

aes_key::aes_key(const secret_key& key) noexcept {
  auto words = std::bit_cast<std::array<std::uint32_t, 4>>(key);
  std::uint8_t constant = 1;
  for (aes_block& round : rounds_) {
    round = std::bit_cast<aes_block>(words);
    words[0] ^= substitute_bytes(std::rotr(words[3], 8)) ^ constant;
    for (std::size_t i = 1; i < words.size(); ++i) words[i] ^= words[i - 1];
    constant = doubled(constant);
  }
}

}  // namespace acre::base
