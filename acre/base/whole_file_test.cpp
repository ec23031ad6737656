// Files that are there in full, or as they were before.
#include <acre/base/whole_file.hpp>

#include <acre/base/error.hpp>
#include <acre/base/full_disk_test.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace acre {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  WholeFile() {
    std::string name = (fs::temp_directory_path() / "acre-whole-file-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~WholeFile() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] std::string contents(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] long files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
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
