// SPDX-License-Identifier: BSD-3-Clause
// Test file, written by rank 0, removed at the end.
#pragma once

#include <acre/acre.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <zlib.h>

namespace acre::genome {

class shared_test_file {
 public:
  shared_test_file(const std::string& name, const std::string& text)
      : path_(std::filesystem::path(testing::TempDir()) /
              ("acre_test_" + std::to_string(world().broadcast(::getpid(), 0)) + name)) {
    if (rank() == 0 && name.ends_with(".gz")) {
      const auto file = gzopen(path_.c_str(), "wb1");
      EXPECT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
                static_cast<int>(text.size()));
      gzclose(file);
    } else if (rank() == 0) {
      std::ofstream(path_, std::ios::binary) << text;
    }
    barrier();
  }
  ~shared_test_file() {
    barrier();
    if (rank() == 0) std::filesystem::remove(path_);
  }
  shared_test_file(const shared_test_file&) = delete;
  shared_test_file& operator=(const shared_test_file&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace acre::genome
