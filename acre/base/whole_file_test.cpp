// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/whole_file.hpp>

#include <acre/base/error.hpp>
#include <acre/base/fingerprint.hpp>
#include <acre/base/full_disk_test.hpp>
#include <acre/base/link_target.hpp>
#include <acre/base/new_file.hpp>
#include <acre/base/temporary_folder_test.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acre {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return own_.path(name); }
  [[nodiscard]] std::string contents(const std::string& name) const {
    return base_test::contents(path(name));
  }
  [[nodiscard]] long files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  base_test::temporary_folder own_;
  const fs::path folder_ = own_.path();
};

TEST_F(WholeFile, ReplacesWhatWasThere) {
  write_whole("test", path("a"), "old");
  fs::permissions(path("a"), fs::perms(0600));
  fs::create_symlink("a", path("link"));
  write_whole("test", path("link"), "new");
  EXPECT_EQ(contents("a"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0600));
  EXPECT_EQ(files(), 2);
}

TEST_F(WholeFile, LeavesTheOldOneWhereThereIsNoRoom) {
  write_whole("test", path("a"), "old");
  {
    const files_test::full_disk disk(1000);
    EXPECT_THROW(write_whole("test", path("a"), std::string(2000, 'x')), error);
  }
  EXPECT_EQ(contents("a"), "old");
  EXPECT_EQ(files(), 1);
}

using base::file_problem;
using base::new_file;
using base::streams;
using std::chrono::milliseconds;

TEST_F(WholeFile, SaysWhatHadTheNameBefore) {
  const auto advice = [](const file_problem& problem) { return std::string(problem.advice()); };
  EXPECT_NE(advice({.code = EIO}).find("the previous file of this name is unchanged"),
            std::string::npos);
  EXPECT_NE(advice({.code = EIO, .has_name = true}).find("the file has its name"),
            std::string::npos);
  EXPECT_NE(advice({.code = ENOSPC, .has_name = true}).find("the file has its name"),
            std::string::npos);
}

std::string temporary(const std::string& name, const std::string& host, unsigned number) {
  new_file example;
  EXPECT_FALSE(example.begin(name, streams::refused));
  std::string made = example.name();
  const std::string random = made.substr(made.rfind('.') + 1);
  made.resize(made.size() - random.size());
  if (!host.empty()) made = name + ".being-written." + host + ".17.0123abcd.";
  return made + "0000000" + std::to_string(number);
}

TEST_F(WholeFile, HasTheRightsOfAnyNewFile) {
  const mode_t before = ::umask(027);
  write_whole("test", path("new"), "text");
  write_whole("test", path("other"), "text");
  fs::permissions(path("other"), fs::perms(0604));
  new_file file;
  EXPECT_FALSE(file.begin(path("other"), streams::refused));
  EXPECT_EQ(fs::status(file.name()).permissions(), fs::perms(0604)) << "also while it is written";
  EXPECT_FALSE(file.commit());
  ::umask(before);
  EXPECT_EQ(fs::status(path("new")).permissions(), fs::perms(0640));
  EXPECT_EQ(fs::status(path("other")).permissions(), fs::perms(0604));
}

TEST_F(WholeFile, TouchesNothingThatOthersHavePutIntoTheFolder) {
  const std::array names{
      path("a.being-written"),     path("a.partial-" + std::to_string(::getpid())),
      path("a.unfinished"),        temporary(path("a"), "", 1),
      temporary(path("a"), "", 2), temporary(path("a"), "", 3)};
  std::ofstream(path("precious")) << "text";
  for (std::size_t kind = 0; kind < 4; ++kind) {
    SCOPED_TRACE(kind);
    for (const std::string& each : names) {
      if (kind == 0) fs::create_symlink("precious", each);
      if (kind == 1) {
        ASSERT_EQ(::mkfifo(each.c_str(), 0666), 0);
      }
      if (kind == 2) fs::create_hard_link(path("precious"), each);
      if (kind == 3) fs::create_directory(each);
    }
    write_whole("test", path("a"), "new");
    EXPECT_EQ(contents("a"), "new");
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path("a"))));
    EXPECT_EQ(fs::hard_link_count(path("a")), 1U);
    EXPECT_EQ(contents("precious"), "text");
    EXPECT_EQ(files(), kind == 2 ? 5 : 8);
    for (const std::string& each : names) fs::remove(each);
  }
}

TEST_F(WholeFile, ReplacesAHardLinkAlone) {
  std::ofstream(path("precious")) << "text";
  fs::create_hard_link(path("precious"), path("a"));
  write_whole("test", path("a"), "new");
  EXPECT_EQ(contents("precious"), "text");
  EXPECT_EQ(contents("a"), "new");
}

TEST_F(WholeFile, RemovesWhatEndedProcessesHaveLeft) {
  for (int i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      new_file file;
      const bool is_begun = !file.begin(path("a"), streams::refused) && !file.write("half");
      ::kill(::getpid(), is_begun ? SIGKILL : SIGTERM);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
    EXPECT_EQ(files(), 1) << "the last one alone";
  }
  write_whole("test", path("a"), "whole");
  EXPECT_EQ(contents("a"), "whole");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, LeavesFilesOfOtherHostsForADay) {
  const std::string live = temporary(path("a"), "c7", 1);
  const std::string old = temporary(path("a"), "c7", 2);
  for (const std::string& each : {live, old}) std::ofstream(each) << "half";
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(25));
  write_whole("test", path("a"), "new");
  EXPECT_TRUE(fs::exists(live));
  EXPECT_FALSE(fs::exists(old));
}

TEST_F(WholeFile, SaysWhoIsWritingIt) {
  new_file first;
  ASSERT_FALSE(first.begin(path("a"), streams::refused));
  new_file second;
  const file_problem problem = second.begin(path("a"), base::streams::refused, milliseconds(0));
  EXPECT_EQ(problem.code, file_problem::being_written);
  EXPECT_EQ(problem.text().find("process " + std::to_string(::getpid()) + " on "), 0U)
      << problem.text();
  EXPECT_FALSE(second.begin(path("ab"), streams::refused, milliseconds(0))) << "another name";
  EXPECT_FALSE(first.write("first"));
  EXPECT_FALSE(first.commit());
  EXPECT_FALSE(second.begin(path("a"), streams::refused, milliseconds(0)));
  second.drop();
  EXPECT_EQ(contents("a"), "first");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, NeverTakesWhatHasReplacedItForItself) {
  write_whole("test", path("a"), "old");
  new_file file;
  ASSERT_FALSE(file.begin(path("a"), streams::refused));
  fs::remove(file.name());
  std::ofstream(file.name()) << "false";
  EXPECT_EQ(file.commit().code, file_problem::replaced);
  EXPECT_EQ(contents("a"), "old");
}

TEST_F(WholeFile, TakesNamesAsLongAsThereAre) {
  const std::string name(255, 'x');
  write_whole("test", path(name), "text");
  EXPECT_EQ(contents(name), "text");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, WritesToWhatADescriptorHas) {
  const descriptor opened(::open(path("a").c_str(), O_CREAT | O_RDWR | O_APPEND, 0666));
  ASSERT_TRUE(opened.open());
  ASSERT_EQ(::write(opened.get(), "one ", 4), 4);
  write_whole("test", "/dev/fd/" + std::to_string(opened.get()), "two");
  EXPECT_EQ(contents("a"), "one two");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, DoesNotWaitForAPipeThatNobodyReads) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  new_file file;
  EXPECT_EQ(file.begin(path("pipe"), streams::written, milliseconds(0)).code, ENXIO);
  const descriptor reader(::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK));
  write_whole("test", path("pipe"), "text");
  std::array<char, 5> text{};
  EXPECT_EQ(::read(reader.get(), text.data(), text.size()), 4);
}

TEST_F(WholeFile, KnowsNamesThatOtherLibrariesMayOpen) {
  EXPECT_TRUE(base::is_absent_or_own_file(path("a")));
  std::ofstream(path("a")) << "text";
  EXPECT_TRUE(base::is_absent_or_own_file(path("a")));
  fs::create_symlink("a", path("link"));
  EXPECT_FALSE(base::is_absent_or_own_file(path("link")));
  fs::create_hard_link(path("a"), path("b"));
  EXPECT_FALSE(base::is_absent_or_own_file(path("b")));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  EXPECT_FALSE(base::is_absent_or_own_file(path("pipe")));
}

TEST_F(WholeFile, RefusesFilesOfOtherUsersInASharedFolder) {
  struct stat folder{};
  struct stat entry{};
  folder.st_mode = 01777;
  entry.st_uid = ::geteuid() + 1;
  folder.st_uid = ::geteuid() + 2;
  EXPECT_TRUE(base::is_of_other_user(folder, entry));
  folder.st_mode = 0777;
  EXPECT_FALSE(base::is_of_other_user(folder, entry)) << "there, all users may do anything";
  folder.st_mode = 01777;
  folder.st_uid = entry.st_uid;
  EXPECT_FALSE(base::is_of_other_user(folder, entry)) << "of the folder's owner";
  entry.st_uid = ::geteuid();
  EXPECT_FALSE(base::is_of_other_user(folder, entry));
  if (::geteuid() != 0) return;

  fs::permissions(folder_, fs::perms(01777));
  std::ofstream(path("precious")) << "text";
  std::ofstream(path("file")) << "text";
  fs::create_symlink("precious", path("link"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0666), 0);
  for (const char* each : {"file", "link", "pipe"}) {
    ASSERT_EQ(::lchown(path(each).c_str(), 65534, 65534), 0);
    EXPECT_EQ(new_file::check(path(each), streams::written).code, file_problem::of_other_user);
    EXPECT_THROW(write_whole("test", path(each), "new"), error);
  }
  EXPECT_EQ(contents("precious"), "text");
  EXPECT_EQ(contents("file"), "text");
  fs::permissions(folder_, fs::perms(0755));
  write_whole("test", path("file"), "new");
  struct stat made{};
  ASSERT_EQ(::stat(path("file").c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, 0U);
}

TEST_F(WholeFile, SaysAtOnceWhereThereCanBeNone) {
  const auto problem = [](const std::string& name) -> std::string {
    try {
      require_place("test", name);
      return "";
    } catch (const error& found) {
      return found.problem();
    }
  };
  EXPECT_EQ(problem(path("new")), "");
  EXPECT_EQ(problem("/dev/null"), "");
  EXPECT_EQ(problem(path("no/new")),
            path("no/new") + " cannot be written: No such file or directory");
  EXPECT_EQ(problem(folder_), folder_.string() + " cannot be written: Is a directory");
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace acre
