// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/picture.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <unistd.h>
#include <vector>

namespace acre::amr {
namespace {

TEST(Picture, CutsTheLeavesAboveTheMiddle) {
  EXPECT_TRUE(is_in_picture({}));
  EXPECT_TRUE(is_in_picture({1, {0, 1, 1}}));
  EXPECT_FALSE(is_in_picture({1, {0, 1, 0}}));
  EXPECT_TRUE(is_in_picture({3, {7, 7, 4}}));
  EXPECT_FALSE(is_in_picture({3, {7, 7, 5}}));
}

TEST(Picture, IsWrittenAsPng) {
  std::vector<owned_leaf> leaves;
  for (unsigned child = 0; child < children_of_node; ++child) {
    leaves.push_back({location{}.child(child), child});
  }
  const std::string path = testing::TempDir() + "acre-mesh-" + std::to_string(::getpid()) + ".png";
  draw(leaves, children_of_node, path);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  EXPECT_TRUE(bytes.starts_with("\x89PNG"));
  EXPECT_GT(bytes.size(), 1000U);
}

}  // namespace
}  // namespace acre::amr
