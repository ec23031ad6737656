// SPDX-License-Identifier: BSD-3-Clause
// A file that members of a team write or read concurrently. It has a temporary name until on disk
// (base/new_file.hpp). A failure on one member is an error on all.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace acre::global {

class team_file {
 public:
  /// Creates a file, accessible to member 0 only until share().
  /// @param call  "store_npy"
  static team_file create(const team& members, const std::string& path, const char* call,
                          const site& where);
  /// Opens a file to read. Collective. Cost: 1 allgather. @throws acre::error on all members
  static team_file open(const team& members, const std::string& path, const char* call,
                        const site& where);
  /// Discards an unfinished file.
  ~team_file();
  team_file(team_file&&) noexcept;
  team_file& operator=(team_file&&) = delete;

  [[nodiscard]] const team& members() const noexcept;
  [[nodiscard]] const std::string& path() const noexcept;
  [[nodiscard]] const site& where() const noexcept;
  [[nodiscard]] bool is_first() const noexcept;
  /// Path to open the unfinished file. Member 0 only.
  [[nodiscard]] std::string name_until_finished();
  /// Size of a file opened to read.
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// Inode number.
  [[nodiscard]] std::size_t identity() const noexcept;
  /// Reads `bytes` at `offset`; false if the file ends before, or reading fails.
  [[nodiscard]] bool has(std::size_t offset, std::span<std::byte> bytes) const noexcept;

  // local; failures are kept until the next collective call

  [[nodiscard]] bool is_good() const noexcept;
  /// Reserves disk space if the file system can.
  void reserve(std::size_t offset, std::size_t bytes) noexcept;
  void write(std::size_t offset, std::span<const std::byte> bytes) noexcept;
  void read(std::size_t offset, std::span<std::byte> bytes) noexcept;
  /// Truncates the file to at most `bytes`.
  void cut(std::size_t bytes) noexcept;
  /// Writes zeros to the range.
  void clear(std::size_t offset, std::size_t bytes) noexcept;
  /// Copies this member's part of the file `from`.
  void copy_share(const team_file& from) noexcept;
  void fail(int problem) noexcept;  ///< an errno

  // --- collective; throw acre::error on all members if one failed ---

  /// Opens the file on all members. Cost: 2 allgathers, 1 broadcast.
  void share();
  void agree();  ///< Cost: 1 allgather.
  /// Commits a written file. Cost: 2 allgathers; 1 for a file opened to read.
  void finish();

 private:
  struct state;
  explicit team_file(base::unique_object<state> made) noexcept;
  base::unique_object<state> state_;
};

}  // namespace acre::global
