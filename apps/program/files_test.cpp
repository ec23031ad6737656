// SPDX-License-Identifier: BSD-3-Clause
// Refused command lines: an input as output, or one output twice.
#include <tools/command_line/files.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace acre::command_line {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    fs::create_directories(folder_);
    std::ofstream(path("file")) << "text";
    fs::create_symlink(path("file"), path("link"));
    fs::create_hard_link(path("file"), path("hard"));
    ::mkfifo(path("pipe").c_str(), 0600);
  }
  ~Files() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

  fs::path folder_ =
      fs::path(testing::TempDir()) / ("acre_files_test_" + std::to_string(::getpid()));
};

TEST_F(Files, AreNeverReadAndWritten) {
  for (const char* name : {"file", "link", "hard", "./file", "../"}) {
    const std::string output = name == std::string("../")
                                   ? path("../" + folder_.filename().string() + "/file")
                                   : path(name);
    EXPECT_EQ(clash_of({{"--output", output}}, {{"--matrix", path("file")}}),
              "--output " + output + " is the file of --matrix " + path("file") +
                  ": outputs must not overwrite inputs");
  }
  EXPECT_NE(clash_of({{"--output", path("pipe")}}, {{"the input", path("pipe")}}), "");
  EXPECT_EQ(clash_of({{"--output", path("new")}}, {{"the input", path("file")}}), "");
  EXPECT_EQ(clash_of({{"--output", "/dev/null"}}, {{"the input", "/dev/null"}}), "");
  EXPECT_EQ(clash_of({{"--output", ""}}, {{"the input", ""}}), "");
  EXPECT_EQ(clash_of({{"--output", path("word")}}, {{"--inside", path("word")}}), "");
}

TEST_F(Files, AreWrittenOnce) {
  EXPECT_EQ(clash_of({{"--a", path("file")}, {"--b", path("link")}}),
            "--a " + path("file") + " and --b " + path("link") + " are the same file");
  EXPECT_NE(clash_of({{"--a", path("new")}, {"--b", path("./new")}}), "");
  EXPECT_NE(clash_of({{"--a", "-"}, {"--b", "/dev/stdout"}}), "");
  fs::create_symlink("new", path("dangling"));
  EXPECT_NE(clash_of({{"--a", path("new")}, {"--b", path("dangling")}}), "");
  EXPECT_EQ(clash_of({{"--a", "-"}, {"--b", path("new")}, {"--c", ""}}), "");
}

TEST_F(Files, OfAllRanksAreNoStreams) {
  for (const std::string& stream : {std::string("-"), std::string("/dev/stdin"), path("pipe")}) {
    EXPECT_TRUE(problem_of_shared_input(stream).starts_with(stream)) << stream;
  }
  EXPECT_EQ(problem_of_shared_input(path("link")), "");
  EXPECT_EQ(problem_of_shared_input(path("missing")), "") << "that is told when it is opened";
  EXPECT_NE(problem_of_shared_output("-"), "");
  EXPECT_EQ(problem_of_shared_output(path("new")), "");
}

}  // namespace
}  // namespace acre::command_line
