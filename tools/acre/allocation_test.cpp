// SPDX-License-Identifier: BSD-3-Clause
#include "allocation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace acre::tool {
namespace {

class shell {
 public:
  explicit shell(const std::vector<std::pair<std::string, std::string>>& variables) {
    forget();
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  }
  shell(const shell&) = delete;
  shell& operator=(const shell&) = delete;
  ~shell() { forget(); }

 private:
  static void forget() {
    for (const char* each : {"SLURM_JOB_NUM_NODES", "SLURM_STEP_NUM_TASKS", "PBS_NODEFILE",
                             "LSB_MCPU_HOSTS", "PE_HOSTFILE", "NHOSTS"}) {
      ::unsetenv(each);
    }
  }
};

std::string said(std::size_t ranks) {
  testing::internal::CaptureStderr();
  mention_other_hosts(ranks);
  return testing::internal::GetCapturedStderr();
}

TEST(Allocation, OfSeveralHostsIsMentionedWithWhatUsesThem) {
  const shell of_salloc({{"SLURM_JOB_NUM_NODES", "2"}});
  const std::string text = said(4);
  EXPECT_NE(text.find("Slurm has allocated 2 hosts"), std::string::npos) << text;
  EXPECT_NE(text.find("\n      use srun --mpi=pmix -n 4 "), std::string::npos) << text;
}

TEST(Allocation, OfOneHostOrNoneIsNotMentioned) {
  {
    const shell none({});
    EXPECT_EQ(said(4), "");
  }
  const shell of_salloc({{"SLURM_JOB_NUM_NODES", "1"}});
  EXPECT_EQ(said(4), "");
}

TEST(Allocation, IsNotMentionedByATaskOfEachHost) {
  const shell task({{"SLURM_JOB_NUM_NODES", "2"}, {"SLURM_STEP_NUM_TASKS", "2"}});
  EXPECT_EQ(said(4), "");
}

TEST(Allocation, IsReadFromOtherSchedulersToo) {
  {
    const auto file =
        std::filesystem::temp_directory_path() / ("acre-nodes-" + std::to_string(::getpid()));
    std::ofstream(file) << "c0\nc0\nc1\nc2\n";
    const shell of_pbs({{"PBS_NODEFILE", file.string()}});
    EXPECT_EQ(current_allocation()->hosts, 3U);
    std::filesystem::remove(file);
  }
  {
    const shell of_lsf({{"LSB_MCPU_HOSTS", "c0 8 c1 8"}});
    EXPECT_EQ(current_allocation()->hosts, 2U);
  }
  const shell of_grid_engine({{"PE_HOSTFILE", "/var/spool/hosts"}, {"NHOSTS", "4"}});
  EXPECT_EQ(current_allocation()->hosts, 4U);
}

}  // namespace
}  // namespace acre::tool
