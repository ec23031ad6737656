// SPDX-License-Identifier: BSD-3-Clause
// A file that the members of a team write or read at once, each at places of its own.
//
// One that is written has another name until it is whole and on the disk (base/new_file.hpp); what
// had the name before stays until then. What goes wrong on a member is an error on all.
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
  /// To be written, from nothing. Member 0 alone has it until share(): it may begin the file.
  /// @param call  "store_npy", for errors
  static team_file create(const team& members, const std::string& path, const char* call,
                          const site& where);
  /// To be read. Collective. Cost: 1 allgather. @throws acre::error on all members
  static team_file open(const team& members, const std::string& path, const char* call,
                        const site& where);
  /// What was not finished is not kept.
  ~team_file();
  team_file(team_file&&) noexcept;
  team_file& operator=(team_file&&) = delete;

  [[nodiscard]] const team& members() const noexcept;
  [[nodiscard]] const std::string& path() const noexcept;
  [[nodiscard]] const site& where() const noexcept;
  [[nodiscard]] bool is_first() const noexcept;  ///< whether this is member 0
  /// A path by which this process can open a file that is written. For member 0.
  [[nodiscard]] std::string name_until_finished();
  /// Of a file that is read, when it was opened.
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// The same for whoever has the same file open, and for nobody else.
  [[nodiscard]] std::size_t identity() const noexcept;
  /// Whether it has all of these bytes, which are read.
  [[nodiscard]] bool has(std::size_t offset, std::span<std::byte> bytes) const noexcept;

  // --- this member; what fails is kept until the next collective call -----------------

  [[nodiscard]] bool is_good() const noexcept;  ///< nothing has failed here
  /// Room on the disk: it had better be full now than half-way.
  void reserve(std::size_t offset, std::size_t bytes) noexcept;
  void write(std::size_t offset, std::span<const std::byte> bytes) noexcept;
  void read(std::size_t offset, std::span<std::byte> bytes) noexcept;
  /// No more bytes than so many.
  void cut(std::size_t bytes) noexcept;
  /// Zeros, where something else may have been.
  void clear(std::size_t offset, std::size_t bytes) noexcept;
  /// This member's share of what another file has. Its blocks are shared where the file system can.
  void copy_share(const team_file& from) noexcept;
  void fail(int problem) noexcept;  ///< an errno

  // --- collective, @throws acre::error on all members when one has failed --------------

  /// All members have it now. Cost: 2 allgathers, 1 broadcast.
  void share();
  void agree();  ///< Cost: 1 allgather.
  /// It gets its name. Cost: 2 allgathers.
  void finish();

 private:
  struct state;
  explicit team_file(base::unique_object<state> made) noexcept;
  base::unique_object<state> state_;
};

}  // namespace acre::global
