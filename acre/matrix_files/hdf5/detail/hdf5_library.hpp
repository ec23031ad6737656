// SPDX-License-Identifier: BSD-3-Clause
// Calls of HDF5 by one process; its errors become acre::error. Elements are written without HDF5.
#pragma once

#include <acre/base/site.hpp>
#include <acre/matrix_files/hdf5/detail/hdf5_handle.hpp>
#include <acre/matrix_files/hdf5/hdf5_dataset.hpp>
#include <acre/matrix_files/hdf5/hdf5_element.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acre::matrix_files::hdf5 {

/// "HDF5 1.10.8 reading run.h5", for errors of base/child_stream.hpp.
[[nodiscard]] std::string reader_of(const std::string& path);

class dataset_for_reading {
 public:
  /// @throws acre::error when missing, or unfit for `type`
  dataset_for_reading(const std::string& path, const std::string& name, const hdf5_type& type);

  [[nodiscard]] const std::vector<std::size_t>& extents() const noexcept { return extents_; }
  /// Offset of elements; null unless contiguous, of the type in memory.
  [[nodiscard]] std::optional<std::size_t> offset_of_plain_elements() const;
  [[nodiscard]] std::string pattern() const;
  void read(std::span<const std::size_t> first, std::span<const std::size_t> box,
            std::byte* to) const;

 private:
  std::string what_;
  handle file_;
  handle dataset_;
  handle type_;
  std::vector<std::size_t> extents_;
};

/// Calls throw acre::error.
class file_for_writing {
 public:
  /// @param path   opened by this process
  /// @param shown  in errors
  static file_for_writing anew(const std::string& path, const std::string& shown);
  static file_for_writing open(const std::string& path, const std::string& shown);
  /// Discards the file unless closed.
  ~file_for_writing();
  file_for_writing(file_for_writing&&) noexcept = default;
  file_for_writing& operator=(file_for_writing&&) = delete;

  /// Makes or replaces a contiguous dataset. @return offset of its elements
  std::size_t make(const std::string& name, const hdf5_type& type,
                   std::span<const std::size_t> extents, const std::string& pattern);
  [[nodiscard]] std::pair<std::size_t, std::vector<std::size_t>> find(const std::string& name,
                                                                      const hdf5_type& type);
  void say(const std::string& name, const std::string& key, const hdf5_value& value);
  [[nodiscard]] std::size_t end() const;
  /// @return HDF5's end of file, which reserved space may exceed
  std::size_t close();

 private:
  explicit file_for_writing(handle file) noexcept : file_(std::move(file)) {}
  [[nodiscard]] std::optional<std::size_t> offset_of_same(const std::string& name,
                                                          const hdf5_type& type,
                                                          std::span<const std::size_t> extents);

  handle file_;
};

/// True if a regular file exists.
/// @throws acre::error if it is unreadable, not HDF5, or being written
[[nodiscard]] bool can_add_to(const std::string& path);

[[nodiscard]] std::optional<hdf5_dataset> dataset_of(const std::string& path,
                                                     const std::string& name);
[[nodiscard]] std::vector<hdf5_dataset> datasets_of(const std::string& path);
[[nodiscard]] hdf5_value attribute_of(const std::string& path, const std::string& name,
                                      const std::string& key, const site& where);

}  // namespace acre::matrix_files::hdf5
