// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/loaded_library.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <string>

namespace acre {
namespace {

constexpr library_description mathematics{.call = "test",
                                          .file = "libm.so.6",
                                          .mode = RTLD_NOW | RTLD_LOCAL,
                                          .cannot_load = "libm cannot be loaded",
                                          .advice = "install it",
                                          .advice_too_old = "install a newer one"};

struct functions {
  double (*cosine)(double);
  double (*power)(double, double);
};

std::string problem_of(auto&& load) {
  try {
    load();
  } catch (const error& failed) {
    return failed.problem_and_advice();
  }
  return {};
}

TEST(LoadedLibrary, FillsATableOfFunctions) {
  const loaded_library library(mathematics);
  const functions found{.cosine = library["cos"], .power = library["pow"]};
  EXPECT_EQ(found.cosine(0), 1);
  EXPECT_EQ(found.power(2, 3), 8);
}

TEST(LoadedLibrary, NamesTheFunctionThatIsMissing) {
  const loaded_library library(mathematics);
  EXPECT_EQ(problem_of([&] { static_cast<void>(library["no_such_function"]); }),
            "libm.so.6 does not define no_such_function\n      install a newer one");
}

TEST(LoadedLibrary, NamesTheReasonWhereThereIsNoLibrary) {
  library_description missing = mathematics;
  missing.file = "libacre-missing.so.1";
  const std::string problem = problem_of([&] { const loaded_library library(missing); });
#ifdef __GLIBC__
  constexpr auto reason = "libm cannot be loaded: libacre-missing.so.1: cannot open";
#else
  constexpr auto reason =
      "libm cannot be loaded: Error loading shared library libacre-missing.so.1: ";
#endif
  EXPECT_TRUE(problem.starts_with(reason)) << problem;
  EXPECT_TRUE(problem.ends_with("\n      install it")) << problem;
}

}  // namespace
}  // namespace acre
