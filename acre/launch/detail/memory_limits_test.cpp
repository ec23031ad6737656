// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/memory_limits.hpp>

#include <acre/base/error.hpp>
#include <acre/base/resource_limits.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using acre::no_limit;
using acre::launch::control_group_bytes;
using acre::launch::file_limit_lifted;
using acre::launch::require_room;
using acre::launch::reservable_bytes;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

class ControlGroups : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "acre-limits-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, std::string_view text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  void process_in(std::string_view groups, std::string_view mounts) const {
    write("proc/self/cgroup", groups);
    write("proc/self/mountinfo", mounts);
  }
  [[nodiscard]] std::uint64_t bytes() const { return control_group_bytes(root_); }

  fs::path root_;
};

constexpr const char* second_version =
    "23 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
    "41 23 0:38 / /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup2 rw,nsdelegate";

TEST_F(ControlGroups, LimitNothingWhereThereAreNone) {
  EXPECT_EQ(bytes(), no_limit);
  process_in("0::/", second_version);
  EXPECT_EQ(bytes(), no_limit);
}

TEST_F(ControlGroups, LimitByTheLeastOfThoseThatOneIsIn) {
  process_in("0::/user.slice/job 7/step", second_version);
  write("sys/fs/cgroup/user.slice/memory.max", "8000");
  write("sys/fs/cgroup/user.slice/job 7/memory.max", "3000");
  write("sys/fs/cgroup/user.slice/job 7/step/memory.max", "max");
  write("sys/fs/cgroup/user.slice/other/memory.max", "1");
  EXPECT_EQ(bytes(), 3000U);
  write("sys/fs/cgroup/user.slice/job 7/step/memory.high", "2000");
  EXPECT_EQ(bytes(), 2000U);
  write("sys/fs/cgroup/user.slice/memory.max", "1000");
  EXPECT_EQ(bytes(), 1000U);
}

TEST_F(ControlGroups, OfAContainerAreSeenFromItsOwn) {
  process_in("0::/", second_version);
  write("sys/fs/cgroup/memory.max", "5000");
  EXPECT_EQ(bytes(), 5000U);
  process_in("0::/../elsewhere", second_version);
  EXPECT_EQ(bytes(), 5000U);
}

TEST_F(ControlGroups, OfTheFirstVersionLimitToo) {
  constexpr const char* mounts =
      "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
      "36 31 0:33 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw";
  process_in("4:memory:/batch/12\n3:cpu,cpuacct:/other\n0::/", mounts);
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  write("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "7000");
  write("sys/fs/cgroup/memory/batch/12/memory.limit_in_bytes", "9000");
  write("sys/fs/cgroup/cpu/other/memory.limit_in_bytes", "1");
  EXPECT_EQ(bytes(), 7000U);
}

TEST_F(ControlGroups, OfAMountOfAPartOfThemAreFoundBelowIt) {
  constexpr const char* mounts =
      "35 31 0:32 /docker/ab\\040c /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "7000");
  write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "6000");
  process_in("4:memory:/docker/ab c", mounts);
  EXPECT_EQ(bytes(), 7000U);
  process_in("4:memory:/docker/ab c/inner", mounts);
  EXPECT_EQ(bytes(), 6000U);
  process_in("4:memory:/elsewhere", mounts);
  EXPECT_EQ(bytes(), 7000U);
}

/// Lowered limits persist.
std::string in_child(const std::function<std::string()>& life) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string said = life();
    static_cast<void>(!::write(ends[1], said.data(), said.size()));
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string all;
  char buffer[1024];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    all.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return all;
}

void limit(__rlimit_resource_t resource, std::uint64_t soft, std::uint64_t hard) {
  const rlimit both{soft, hard};
  ::setrlimit(resource, &both);
}

std::string problem_of(std::uint64_t file_bytes, std::uint64_t address_bytes) {
  try {
    require_room({.file_bytes = file_bytes,
                  .address_bytes = address_bytes,
                  .heaps = 4,
                  .heap_bytes = 20 * mebibyte});
    return "";
  } catch (const acre::error& failure) {
    return failure.problem_and_advice();
  }
}

TEST(RoomForSegments, IsRefusedWithTheNameOfTheLimitOfFiles) {
  const std::string said = in_child([] {
    limit(RLIMIT_FSIZE, 100 * mebibyte, 100 * mebibyte);
    return problem_of(100 * mebibyte, 0) + problem_of(104 * mebibyte, 0);
  });
  EXPECT_NE(said.find("the file size limit is 100 MiB (ulimit -f)"), std::string::npos) << said;
  EXPECT_NE(said.find("ACRE_SEGMENT_SIZE to 12M"), std::string::npos) << said;
}

TEST(FileLimitLifted, IsAsHighAsItMayBeAndThenAsBefore) {
  EXPECT_EQ(in_child([] {
              limit(RLIMIT_FSIZE, mebibyte, 200 * mebibyte);
              std::uint64_t meanwhile = 0;
              {
                const file_limit_lifted lifted;
                meanwhile = acre::soft_limit(RLIMIT_FSIZE);
              }
              return std::to_string(meanwhile / mebibyte) + ", then " +
                     std::to_string(acre::soft_limit(RLIMIT_FSIZE) / mebibyte);
            }),
            "200, then 1");
}

TEST(FileLimitLifted, IsRefusedWithTheNameOfTheLimit) {
  const std::string said = in_child([]() -> std::string {
    limit(RLIMIT_FSIZE, mebibyte, mebibyte);
    try {
      const file_limit_lifted lifted;
      return "";
    } catch (const acre::error& failure) {
      return failure.problem_and_advice();
    }
  });
  EXPECT_NE(said.find("1 MiB (ulimit -f)"), std::string::npos) << said;
}

TEST(RoomForSegments, IsRefusedWithTheNameOfTheLimitOfAddresses) {
  const std::string said = in_child([] {
    const std::uint64_t most = acre::launch::addresses_in_use() + 100 * mebibyte;
    limit(RLIMIT_AS, most, most);
    return problem_of(0, 50 * mebibyte) + problem_of(0, 200 * mebibyte);
  });
  EXPECT_NE(said.find("(ulimit -v)"), std::string::npos) << said;
  EXPECT_EQ(said.find("50 MiB"), std::string::npos) << said;
  EXPECT_EQ(said.find("ACRE_SEGMENT_SIZE"), std::string::npos) << said;
}

TEST(ReservableBytes, AreWhatTheHardLimitsLeave) {
  EXPECT_EQ(in_child([] {
              limit(RLIMIT_FSIZE, mebibyte, 300 * mebibyte);
              return std::to_string(reservable_bytes() / mebibyte);
            }),
            "300");
}

}  // namespace
