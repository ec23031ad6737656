// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/traffic/traffic_file.hpp>

#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>

namespace acre::machines {
namespace {

class file_of {
 public:
  explicit file_of(const std::string& text)
      : path_(testing::TempDir() + "traffic-" + std::to_string(::getpid())) {
    std::ofstream(path_) << text;
  }
  file_of(const file_of&) = delete;
  file_of& operator=(const file_of&) = delete;
  ~file_of() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string problem_of(const std::string& path) {
  return base_test::problem_of([&] { static_cast<void>(read_communication(path)); });
}

TEST(TrafficFile, IsRecognisedByItsContent) {
  const file_of matrix("%%MATRIXMARKET matrix coordinate pattern general\n3 3 1\n1 2\n");
  EXPECT_EQ(read_communication(matrix.path()).traffic.flows(), 1U);
  const file_of marked(
      "\xEF\xBB\xBF%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
  EXPECT_EQ(read_communication(marked.path()).traffic.flows(), 1U);
  const file_of graph("\r\n % with a comment\n\n2 1 0\n2\n1\n");
  EXPECT_EQ(read_communication(graph.path()).traffic.flows(), 2U);
  EXPECT_EQ(read_communication(graph.path()).name,
            graph.path().substr(graph.path().rfind('/') + 1));
}

TEST(TrafficFile, SaysWhatItIsNot) {
  for (const char* text : {"", "\n\n", "%", "%%Matrix", "rank 0=node1\n", "{}"}) {
    const file_of other(text);
    EXPECT_EQ(problem_of(other.path()), other.path() + " has an unknown traffic format");
  }
  EXPECT_EQ(problem_of("/nowhere/at all"),
            "/nowhere/at all cannot be read: No such file or directory");
  EXPECT_EQ(problem_of("/"), "/ is a directory");
}

}  // namespace
}  // namespace acre::machines
