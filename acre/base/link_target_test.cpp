// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/link_target.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <unistd.h>

namespace acre {
namespace {

namespace fs = std::filesystem;

TEST(OwnDescriptor, IsFoundUnderEveryName) {
  EXPECT_EQ(own_descriptor("/dev/stdin"), 0);
  EXPECT_EQ(own_descriptor("/dev/stdout"), 1);
  EXPECT_EQ(own_descriptor("/dev/stderr"), 2);
  EXPECT_EQ(own_descriptor("/dev/fd/0"), 0);
  EXPECT_EQ(own_descriptor("/dev/../dev/fd/63"), 63);
  EXPECT_EQ(own_descriptor("/proc/self/fd/7"), 7);
  EXPECT_EQ(own_descriptor("/proc/thread-self/fd/7"), 7);
  EXPECT_EQ(own_descriptor("/proc/" + std::to_string(::getpid()) + "/fd/1"), 1);

  const fs::path link = fs::path(testing::TempDir()) / ("own-" + std::to_string(::getpid()));
  fs::create_symlink("/dev/stdin", link);
  const fs::path second = link.string() + "-2";
  fs::create_symlink(link.filename(), second);
  EXPECT_EQ(own_descriptor(link), 0);
  EXPECT_EQ(own_descriptor(second), 0);
  fs::remove(link);
  fs::remove(second);
}

TEST(OwnDescriptor, IsNoOtherFile) {
  for (const char* path : {"", "/", ".", "/dev/null", "/proc/self/exe", "/proc/self/fd/x",
                           "/proc/self/fd/-1", "/no such folder/0", "/proc/1/fd/0"}) {
    EXPECT_EQ(own_descriptor(path), std::nullopt) << path;
  }
}

}  // namespace
}  // namespace acre
