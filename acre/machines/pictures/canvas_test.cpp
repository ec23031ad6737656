// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/canvas.hpp>

#include <acre/base/error.hpp>
#include <acre/base/full_disk_test.hpp>
#include <acre/base/whole_file.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace acre::machines {
namespace {

namespace fs = std::filesystem;

TEST(Canvas, IsAWholeFile) {
  std::string folder = (fs::temp_directory_path() / "acre-canvas-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  for (const char* name : {"a.svg", "a.png"}) {
    const std::string path = folder + "/" + name;
    const auto contents = [&] {
      std::ifstream file(path, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(file), {});
    };
    write_whole("test", path, "old");
    canvas page(path, 500, 500);
    EXPECT_EQ(contents(), "old") << "until it is finished";
    {
      const files_test::full_disk disk(16);
      EXPECT_THROW(page.finish(), error);
    }
    EXPECT_EQ(contents(), "old");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace acre::machines
