// SPDX-License-Identifier: BSD-3-Clause
#include "memory_watch.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;
using acre::tool::memory_watch;

class MemoryWatch : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "acre-memory-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    write("proc/vmstat", "pgfault 7\noom_kill 3\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, std::string_view text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  void count(const std::string& group, int reached, int killed) const {
    write("sys/fs/cgroup" + group + "/memory.events", "low 0\nhigh 0\nmax 91\noom " +
                                                          std::to_string(reached) + "\noom_kill " +
                                                          std::to_string(killed));
  }

  fs::path root_;
};

TEST_F(MemoryWatch, NamesTheInnermostGroupThatHasReachedItsLimit) {
  write("proc/self/cgroup", "0::/batch/job 7/step");
  write("proc/self/mountinfo", "41 23 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
  write("sys/fs/cgroup/batch/memory.max", "1073741824");
  write("sys/fs/cgroup/batch/job 7/memory.max", "67108864");
  write("sys/fs/cgroup/batch/job 7/step/memory.max", "max");
  for (const char* each : {"/batch", "/batch/job 7", "/batch/job 7/step"}) count(each, 4, 4);
  const memory_watch watch(root_);
  EXPECT_EQ(watch.what_ran_out(), "");
  count("/batch", 5, 5);
  count("/batch/job 7", 5, 5);
  count("/batch/job 7/step", 4, 5);
  EXPECT_NE(watch.what_ran_out().find("group /batch/job 7 has reached its limit of 64 MiB"),
            std::string::npos)
      << watch.what_ran_out();
}

TEST_F(MemoryWatch, NamesTheLeastLimitOfGroupsOfVersion1) {
  write("proc/self/cgroup", "4:memory:/batch/12");
  write("proc/self/mountinfo", "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory");
  const std::string top = "sys/fs/cgroup/memory";
  write(top + "/memory.limit_in_bytes", "9223372036854771712");
  write(top + "/batch/memory.limit_in_bytes", "1048576");
  write(top + "/batch/12/memory.limit_in_bytes", "9223372036854771712");
  const std::string counts = "oom_kill_disable 0\nunder_oom 0\noom_kill ";
  write(top + "/batch/12/memory.oom_control", counts + "0");
  const memory_watch watch(root_);
  write(top + "/batch/12/memory.oom_control", counts + "1");
  EXPECT_NE(watch.what_ran_out().find("group /batch has reached its limit of 1 MiB"),
            std::string::npos)
      << watch.what_ran_out();
}

TEST_F(MemoryWatch, BlamesTheHostWhereNoGroupHasALimit) {
  const memory_watch watch(root_);
  EXPECT_EQ(watch.what_ran_out(), "");
  write("proc/vmstat", "pgfault 9\noom_kill 4\n");
  EXPECT_NE(watch.what_ran_out().find("process of this host because it is out of memory"),
            std::string::npos)
      << watch.what_ran_out();
}

}  // namespace
