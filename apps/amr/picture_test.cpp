// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/picture.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
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

std::vector<owned_leaf> eight_leaves() {
  std::vector<owned_leaf> leaves;
  for (unsigned child = 0; child < children_of_node; ++child) {
    leaves.push_back({location{}.child(child), child});
  }
  return leaves;
}

#if ACRE_HAVE_CAIRO
TEST(Picture, IsWrittenAsPng) {
  const std::string path = testing::TempDir() + "acre-mesh-" + std::to_string(::getpid()) + ".png";
  draw(eight_leaves(), children_of_node, path);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  EXPECT_TRUE(bytes.starts_with("\x89PNG"));
  EXPECT_GT(bytes.size(), 1000U);
}
#else
TEST(Picture, NamesTheLibraryThatDraws) {
  try {
    draw(eight_leaves(), children_of_node, "a.png");
    ADD_FAILURE() << "drawn without cairo";
  } catch (const error& problem) {
    EXPECT_NE(std::string(problem.what()).find("no cairo"), std::string::npos) << problem.what();
  }
}
#endif

}  // namespace
}  // namespace acre::amr
