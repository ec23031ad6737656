// SPDX-License-Identifier: BSD-3-Clause
// A file that is read: opened once, closed by itself, every failure an error that names it.
#pragma once

#include <acre/base/descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace acre::genome {

class input_file {
 public:
  /// @param path  `-` is standard input, from where it stands
  /// @throws acre::error when the file cannot be opened, or is a folder
  explicit input_file(std::string path);
  input_file(input_file&& other) noexcept;
  input_file& operator=(input_file&& other) noexcept;
  ~input_file();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Whether the file has a size and can be read from anywhere; a pipe has and can not.
  [[nodiscard]] bool is_regular() const noexcept { return regular_; }

  [[nodiscard]] file_identity identity() const noexcept { return identity_; }

  /// Whether it is a terminal, a pipe or a socket: what is read from it once is gone.
  [[nodiscard]] bool is_consumed() const noexcept { return consumed_; }

  /// Bytes in a regular file, 0 for all else.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Fills `into` with what comes next; fewer bytes only at the end of the file.
  /// @throws acre::error when the file cannot be read
  [[nodiscard]] std::size_t read(std::span<char> into);

  /// The same from `offset` on, without moving on.
  [[nodiscard]] std::size_t read_at(std::uint64_t offset, std::span<char> into) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  bool regular_ = false;
  bool consumed_ = false;
  file_identity identity_{};
  std::uint64_t first_ = 0;  ///< offset of the first byte in a regular file
  std::uint64_t next_ = 0;   ///< bytes of a regular file that were read
  std::uint64_t size_ = 0;
};

}  // namespace acre::genome
