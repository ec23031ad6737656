// SPDX-License-Identifier: BSD-3-Clause
// An input file, whose errors contain its name.
#pragma once

#include <acre/base/descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace acre::genome {

class input_file {
 public:
  /// @param path  `-`: standard input from its present offset
  /// @throws acre::error if it cannot be opened or is a directory
  explicit input_file(std::string path);
  input_file(input_file&& other) noexcept;
  input_file& operator=(input_file&& other) noexcept;
  ~input_file();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// True if seekable with known size.
  [[nodiscard]] bool is_regular() const noexcept { return regular_; }

  [[nodiscard]] file_identity identity() const noexcept { return identity_; }

  /// True for terminals, pipes and sockets: readable once.
  [[nodiscard]] bool is_consumed() const noexcept { return consumed_; }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Fills `into`; fewer bytes at end of file.
  /// @throws acre::error on failure
  [[nodiscard]] std::size_t read(std::span<char> into);

  [[nodiscard]] std::size_t read_at(std::uint64_t offset, std::span<char> into) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  bool regular_ = false;
  bool consumed_ = false;
  file_identity identity_{};
  std::uint64_t first_ = 0;
  std::uint64_t next_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace acre::genome
