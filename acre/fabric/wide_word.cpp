// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/wide_word.hpp>

#include <acre/base/error.hpp>

#include <bit>
#include <cstdint>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace acre::fabric {
namespace {

#if defined(__x86_64__)

bool processor_exchanges_wide_words() noexcept {
  static const bool has_it = [] {
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_CMPXCHG16B) != 0;
  }();
  return has_it;
}

// Assembly: compilers call libatomic, with locks of one process.
wide_word exchange(wide_word* where, wide_word expected, wide_word desired) noexcept {
  asm volatile("lock cmpxchg16b %[where]"
               : [where] "+m"(*where), "+a"(expected.low), "+d"(expected.high)
               : "b"(desired.low), "c"(desired.high)
               : "cc", "memory");
  return expected;
}

#elif defined(__aarch64__)

constexpr bool processor_exchanges_wide_words() noexcept { return true; }

// The store, of the old value if it is not `expected`, shows that both words were read at once.
wide_word exchange(wide_word* where, wide_word expected, wide_word desired) noexcept {
  wide_word found;
  wide_word next;
  std::uint32_t failed = 0;
  asm volatile(
      "0: ldaxp %[low], %[high], [%[where]]\n"
      "   cmp %[low], %[expected_low]\n"
      "   ccmp %[high], %[expected_high], #0, eq\n"
      "   csel %[next_low], %[desired_low], %[low], eq\n"
      "   csel %[next_high], %[desired_high], %[high], eq\n"
      "   stlxp %w[failed], %[next_low], %[next_high], [%[where]]\n"
      "   cbnz %w[failed], 0b\n"
      "   dmb ish\n"
      : [low] "=&r"(found.low), [high] "=&r"(found.high), [next_low] "=&r"(next.low),
        [next_high] "=&r"(next.high), [failed] "=&r"(failed)
      : [where] "r"(where), [expected_low] "r"(expected.low), [expected_high] "r"(expected.high),
        [desired_low] "r"(desired.low), [desired_high] "r"(desired.high)
      : "cc", "memory");
  return found;
}

#endif

}  // namespace

bool exchange_if_equal(wide_word* where, wide_word& expected, wide_word desired) {
  if (std::bit_cast<std::uintptr_t>(where) % sizeof(wide_word) != 0) {
    throw error("atomic operation", "the address of a 16-byte word is not a multiple of 16",
                "use pointers from allocate() and natural alignment");
  }
  if (!processor_exchanges_wide_words()) {
    throw error("atomic operation",
                "this processor has no atomic operations on 16 bytes (cmpxchg16b)",
                "use types of at most 8 bytes");
  }
  const wide_word found = exchange(where, expected, desired);
  if (found == expected) return true;
  expected = found;
  return false;
}

}  // namespace acre::fabric
