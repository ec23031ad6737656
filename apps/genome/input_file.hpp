// A file that is read: opened once, closed by itself, every failure an error that names it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace acre::genome {

class input_file {
 public:
  /// @throws acre::error when the file cannot be opened, or is a folder
  explicit input_file(std::string path);
  input_file(input_file&& other) noexcept;
  input_file& operator=(input_file&& other) noexcept;
  ~input_file();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Whether the file has a size and can be read from anywhere; a pipe has and can not.
  [[nodiscard]] bool is_regular() const noexcept { return regular_; }

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
  std::uint64_t size_ = 0;
};

}  // namespace acre::genome
