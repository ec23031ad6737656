// SPDX-License-Identifier: BSD-3-Clause
// On x86-64, compiled for any processor (cmake/processor.cmake).
#include <acre/base/required_processor.hpp>

#ifdef ACRE_NATIVE_PROCESSOR

#include <cstring>
#include <unistd.h>

namespace acre {
namespace {

void print(const char* text) noexcept {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

// Other initialisers may use the instructions.
[[gnu::constructor(101)]] void check_first() noexcept { require_processor(); }

}  // namespace

const char* required_processor() noexcept { return ACRE_NATIVE_PROCESSOR; }

void require_processor() noexcept {
#ifdef __x86_64__
  __builtin_cpu_init();
#endif
  const char* missing = nullptr;
#define ACRE_FEATURE(name) \
  if (!__builtin_cpu_supports(name)) missing = name;
  ACRE_NATIVE_FEATURES
#undef ACRE_FEATURE
  if (missing == nullptr) return;
  print("acre: this program was built for " ACRE_NATIVE_PROCESSOR
        " (ACRE_NATIVE), but this processor has no ");
  print(missing);
  print("\n      build Acre and the program without ACRE_NATIVE\n");
  ::_exit(1);
}

}  // namespace acre

#else

namespace acre {

const char* required_processor() noexcept { return "any"; }

void require_processor() noexcept {}

}  // namespace acre

#endif
