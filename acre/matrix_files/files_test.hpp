// SPDX-License-Identifier: BSD-3-Clause
// Tables, folders and failures for tests of files.
#pragma once

#include <acre/array/matrix.hpp>
#include <acre/base/error.hpp>
#include <acre/base/failure_of_test.hpp>
#include <acre/base/full_disk_test.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/deduction.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace acre::files_test {

inline constexpr auto number = [](std::size_t i) { return static_cast<std::int32_t>(3 * i) - 7; };

inline void expect_numbers(auto& range) {
  std::size_t i = 0;
  for (const std::int32_t each : range) EXPECT_EQ(each, number(i++));
  acre::barrier();
}

template <class F>
void with_tables(F&& f) {
  for (const layout::coordinates<2> extents :
       {layout::coordinates<2>{7, 5}, {0, 5}, {5, 0}, {11, 3}}) {
    matrix<std::int32_t, 2> boxes(world(), extents);
    f(boxes);
  }
  auto tiles =
      make_matrix<std::int32_t>(world(), make_pattern<use_case::transpose>({7, 5}, acre::size()));
  f(tiles);
}

class folder {
 public:
  folder() {
    std::string made;
    if (acre::rank() == 0) {
      std::string name = (std::filesystem::temp_directory_path() / "acre-files-XXXXXX").string();
      made = ::mkdtemp(name.data());
    }
    path_ = acre::world().broadcast(made, 0);
  }
  ~folder() {
    acre::barrier();
    std::error_code ignored;
    if (acre::rank() == 0) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string operator/(const char* name) const { return path_ + "/" + name; }
  [[nodiscard]] std::size_t files() const {
    const std::filesystem::directory_iterator all(path_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  std::string path_;
};

inline void write_file(const std::string& path, const std::string& content) {
  if (acre::rank() == 0) std::ofstream(path, std::ios::binary) << content;
  acre::barrier();
}
inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string error_of(auto&& call) { return base_test::problem_of(call); }

inline void expect_error(const std::string& said, const std::string& part) {
  EXPECT_NE(said.find(part), std::string::npos) << said << "\nexpected: " << part;
}

inline void expect_same_error(const std::string& said, const std::string& part,
                              const std::string& path) {
  expect_error(said, part);
  expect_error(said, path);
  EXPECT_EQ(world().broadcast(said, 0), said);
  barrier();
}

template <class Load>
void expect_file_refused(const folder& here, const std::string& content, const std::string& part,
                         Load&& load) {
  const std::string path = here / "bad";
  write_file(path, content);
  expect_same_error(error_of([&] { static_cast<void>(load(path)); }), part, path);
}

/// Writes "bad": the file "good" with another byte.
inline void damage(const folder& here, std::size_t at) {
  std::string content = read_file(here / "good");
  content[at] = static_cast<char>(content[at] ^ 1);
  write_file(here / "bad", content);
}

/// @param read  (name): error of restoring the checkpoint of this name
/// @param piece  begin of the error for another content
template <class Read>
void expect_damage_noticed(const folder& here, const Read& read, const std::string& piece) {
  const std::string good = read_file(here / "good");
  expect_error(read("none"), "none: No such file");
  write_file(here / "bad", "text");
  expect_error(read("bad"), "bad is not a readable checkpoint: its header is unknown");
  write_file(here / "bad", good.substr(0, good.size() - 1));
  expect_error(read("bad"), "bad is damaged: it has " + std::to_string(good.size() - 1) + " bytes");
  damage(here, 12);
  expect_error(read("bad"), "it has format");
  damage(here, 70);
  expect_error(read("bad"), "bad is damaged: the checksum of its header is wrong");
  damage(here, good.size() - 12);
  expect_error(read("bad"), piece);
}

template <class Store>
void expect_not_stored_on_full_disk(std::size_t bytes, Store&& store) {
  const folder here;
  write_file(here / "a", "before");
  {
    const full_disk full(bytes);
    EXPECT_THROW(store(here / "a"), acre::error);
    acre::barrier();
  }
  EXPECT_EQ(read_file(here / "a"), "before");
  EXPECT_EQ(here.files(), 1U);
}

template <class Store>
void expect_no_other_kind_written(const folder& here, Store&& store) {
  write_file(here / "precious", "text");
  if (acre::rank() == 0) {
    EXPECT_EQ(::mkfifo((here / "pipe").c_str(), 0666), 0);
    std::filesystem::create_symlink("pipe", here / "to_pipe");
    std::filesystem::create_symlink("precious", here / "new.being-written");
    EXPECT_EQ(::mkfifo((here / "new.being-written.c0.17.01234567.89abcdef").c_str(), 0666), 0);
  }
  acre::barrier();
  const std::size_t before = here.files();
  acre::barrier();
  expect_error(error_of([&] { store(here / "pipe"); }), "it is not a regular file");
  expect_error(error_of([&] { store(here / "to_pipe"); }), "it is not a regular file");
  EXPECT_EQ(error_of([&] { store(here / "new"); }), "no error");
  EXPECT_TRUE(std::filesystem::is_fifo(here / "pipe"));
  EXPECT_EQ(read_file(here / "precious"), "text");
  EXPECT_TRUE(std::filesystem::is_regular_file(here / "new"));
  EXPECT_EQ(here.files(), before + 1);
}

}  // namespace acre::files_test
