// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/output_file.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace acre::genome {
namespace {

class OutputFile : public testing::Test {
 protected:
  OutputFile() { std::filesystem::create_directories(folder_); }
  ~OutputFile() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

 private:
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                  ("acre_output_file_test_" + std::to_string(::getpid()));
};

TEST_F(OutputFile, AppearsWhenItIsCommitted) {
  const std::string line(1000, 'x');
  std::string expected;
  {
    output_file out(path("result"));
    for (unsigned i = 0; i < 1000; ++i) {
      out.write(line);
      expected += line;
    }
    EXPECT_FALSE(std::filesystem::exists(path("result")));
    out.commit();
  }
  EXPECT_EQ(content("result"), expected);
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, LeavesNothingWhenItIsNotCommitted) {
  output_file(path("result")).write("half");
  EXPECT_EQ(files(), 0);
}

TEST_F(OutputFile, LeavesAnOlderResultAloneUntilItIsCommitted) {
  std::ofstream(path("result")) << "old";
  output_file(path("result")).write("half");
  EXPECT_EQ(content("result"), "old");
  output_file out(path("result"));
  out.write("new");
  out.commit();
  EXPECT_EQ(content("result"), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputFile, FollowsASymbolicLink) {
  std::ofstream(path("target")) << "old";
  std::filesystem::create_symlink("target", path("link"));
  output_file out(path("link"));
  out.write("new");
  out.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(content("target"), "new");
}

TEST_F(OutputFile, WritesToADeviceDirectly) {
  output_file out("/dev/null");
  out.write("gone");
  out.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(OutputFile, SaysWhyItCannotBeWritten) {
  EXPECT_THROW(output_file(path("missing/result")), error);
  EXPECT_THROW(output_file(path("")), error);
  try {
    output_file full("/dev/full");
    full.write("text");
    full.commit();
    ADD_FAILURE() << "a full disk was not noticed";
  } catch (const error& problem) {
    EXPECT_EQ(problem.problem(), "/dev/full cannot be written: No space left on device");
  }
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace acre::genome
