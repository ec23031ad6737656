// SPDX-License-Identifier: BSD-3-Clause
// Runs programs as users do, in jobs of several ranks.
#pragma once

#include <acre/base/temporary_folder_test.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <utility>
#include <vector>

namespace acre::program_test {

inline const std::string bin = ACRE_TEST_BIN;
inline const std::vector<unsigned> job_sizes{ACRE_TEST_JOB_SIZES};

struct outcome {
  int status;
  std::string out;
  std::string err;
};

class job_test : public testing::Test {
 protected:
  explicit job_test(std::string program) : program_(std::move(program)) {}

  /// @param settings  shell prefix
  [[nodiscard]] outcome run(unsigned ranks, const std::string& arguments,
                            const std::string& settings = "") const {
    const std::string command = settings + " timeout 100 " + bin + "/acre run -n " +
                                std::to_string(ranks) + " " + bin + "/" + program_ + " " +
                                arguments + " > " + path("out") + " 2> " + path("err");
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), base_test::contents(path("out")),
            base_test::contents(path("err"))};
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  [[nodiscard]] const base_test::temporary_folder& folder() const { return folder_; }

 private:
  std::string program_;
  base_test::temporary_folder folder_;
};

}  // namespace acre::program_test
