// SPDX-License-Identifier: BSD-3-Clause
// Reads the seeds, and expects those named wrong_… to be refused.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace acre::fuzz {

/// Sorted, so that the order is equal on all ranks.
inline std::set<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::set<std::filesystem::path> files;
  for (const auto& each : std::filesystem::directory_iterator(folder)) files.insert(each.path());
  return files;
}

/// @param problem_of  returns the error, or an empty string
template <class ProblemOf>
void expect_as_named(const std::filesystem::path& folder, ProblemOf&& problem_of) {
  std::size_t good = 0;
  for (const std::filesystem::path& seed : files_in(folder)) {
    const std::string problem = problem_of(seed);
    const bool wrong = seed.filename().string().starts_with("wrong_");
    EXPECT_EQ(!problem.empty(), wrong) << seed << ": " << problem;
    EXPECT_LT(std::filesystem::file_size(seed), 16384U) << seed;
    good += wrong ? 0 : 1;
  }
  EXPECT_GE(good, 1U) << folder;
}

template <class Readers>
void expect_folders_of(const Readers& readers, const std::filesystem::path& folders) {
  std::set<std::string_view> names;
  for (const auto& each : readers) names.insert(each.name);
  for (const std::filesystem::path& folder : files_in(folders)) {
    EXPECT_TRUE(names.contains(folder.filename().string())) << folder;
  }
}

}  // namespace acre::fuzz
