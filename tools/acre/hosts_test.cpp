// SPDX-License-Identifier: BSD-3-Clause
#include "hosts.hpp"

#include <acre/base/error.hpp>
#include <acre/base/host_name.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace acre::tool {
namespace {

using names = std::vector<std::string>;

TEST(Hosts, AreListedWithOrWithoutTheirSlots) {
  EXPECT_EQ(hosts_of_list("c0"), names{"c0"});
  EXPECT_EQ(hosts_of_list("c0:4,c1,,10.0.0.1:2,fe80::1"),
            (names{"c0", "c1", "10.0.0.1", "fe80::1"}));
  EXPECT_EQ(hosts_of_list(","), names{});
}

TEST(Hosts, AreReadFromTheFilesOfOtherLaunchers) {
  const auto file =
      std::filesystem::temp_directory_path() / ("acre-hosts-" + std::to_string(::getpid()));
  std::ofstream(file) << "# all of them\nc0 slots=4\n\n  c1:2\r\nc2# the last\n";
  EXPECT_EQ(hosts_of_file(file.string()), (names{"c0", "c1", "c2"}));
  std::filesystem::remove(file);
  EXPECT_THROW(static_cast<void>(hosts_of_file(file.string())), error);
}

TEST(Hosts, OfThisMachineAreKnownByNameAndByAddress) {
  for (const std::string& name : names{"localhost", "127.0.0.1", "127.0.1.1", host_name()}) {
    EXPECT_TRUE(is_this_machine(name)) << name;
  }
  const std::string own = host_name();
  EXPECT_TRUE(is_this_machine(own.substr(0, own.find('.'))));
  const bool is_short = own.find('.') == std::string::npos;
  EXPECT_EQ(is_this_machine(own + ".example.org"), is_short);
  for (const std::string& name : names{own + "0", "another", "192.0.2.1", ""}) {
    EXPECT_FALSE(is_this_machine(name)) << name;
  }
}

TEST(Hosts, ThatAreElsewhereAreNamed) {
  check_all_here({"localhost", host_name()});
  EXPECT_THROW(check_all_here({}), error);
  try {
    check_all_here({"localhost", "another"});
    FAIL() << "nothing was said";
  } catch (const error& wrong) {
    EXPECT_NE(wrong.problem().find("another is not this machine"), std::string::npos);
  }
}

}  // namespace
}  // namespace acre::tool
