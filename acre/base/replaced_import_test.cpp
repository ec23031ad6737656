// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/replaced_import.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <dlfcn.h>
#include <fstream>

namespace acre::base {
namespace {

std::FILE* open_nothing(const char*, const char*) { return nullptr; }

bool opens_a_file() { return std::ifstream("/proc/self/status").is_open(); }

TEST(ReplacedImport, ChangesCallsOfOneLibraryForATime) {
  const void* const standard_library = ::dlsym(RTLD_DEFAULT, "_ZNSt12__basic_fileIcED1Ev");
  if (standard_library == nullptr) GTEST_SKIP() << "another standard library, or a static one";
  ASSERT_TRUE(opens_a_file());
  {
    auto* const replacement = reinterpret_cast<void*>(&open_nothing);
    const replaced_import glibc(standard_library, "fopen64", replacement);
    const replaced_import musl(standard_library, "fopen", replacement);
    EXPECT_FALSE(opens_a_file());
    std::FILE* const ours = std::fopen("/proc/self/status", "r");
    EXPECT_NE(ours, nullptr);
    if (ours != nullptr) std::fclose(ours);
  }
  EXPECT_TRUE(opens_a_file());
}

TEST(ReplacedImport, LeavesALibraryThatDoesNotCallTheFunction) {
  const void* const standard_library = ::dlsym(RTLD_DEFAULT, "_ZNSt12__basic_fileIcED1Ev");
  const replaced_import none(standard_library, "no_such_function", nullptr);
  const replaced_import nowhere(nullptr, "fopen64", nullptr);
  EXPECT_TRUE(opens_a_file());
}

}  // namespace
}  // namespace acre::base
