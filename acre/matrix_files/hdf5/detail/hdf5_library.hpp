// SPDX-License-Identifier: BSD-3-Clause
// What is asked of the library HDF5, by one process: no team, and no elements that are written.
//
// The library tells what is wrong by printing; here it is silent, and errors say it.
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

/// "HDF5 1.10.8 reading run.h5": for the errors of a child (base/child_stream.hpp) that reads it.
[[nodiscard]] std::string reader_of(const std::string& path);

class dataset_for_reading {
 public:
  /// @throws acre::error when there is none, or its values are more than those of `type`
  dataset_for_reading(const std::string& path, const std::string& name, const hdf5_type& type);

  [[nodiscard]] const std::vector<std::size_t>& extents() const noexcept { return extents_; }
  /// Where elements are in the file, as they are in memory; none where HDF5 has to read them.
  [[nodiscard]] std::optional<std::size_t> offset_of_plain_elements() const;
  /// That it was stored with; empty where nothing is said.
  [[nodiscard]] std::string pattern() const;
  /// The elements of a box, by rows.
  void read(std::span<const std::size_t> first, std::span<const std::size_t> box,
            std::byte* to) const;

 private:
  std::string what_;
  handle file_;
  handle dataset_;
  handle type_;  ///< in memory
  std::vector<std::size_t> extents_;
};

/// Each call throws acre::error.
class file_for_writing {
 public:
  /// @param path   of the file as this process can open it
  /// @param shown  its name in errors
  static file_for_writing anew(const std::string& path, const std::string& shown);
  static file_for_writing open(const std::string& path, const std::string& shown);
  /// What is not closed is not kept: nothing more is written to the file.
  ~file_for_writing();
  file_for_writing(file_for_writing&&) noexcept = default;
  file_for_writing& operator=(file_for_writing&&) = delete;

  /// A contiguous dataset whose elements nobody has written, in place of what has the name.
  /// @return where in the file elements are
  std::size_t make(const std::string& name, const hdf5_type& type,
                   std::span<const std::size_t> extents, const std::string& pattern);
  /// Where elements are in the file, and the extents.
  [[nodiscard]] std::pair<std::size_t, std::vector<std::size_t>> find(const std::string& name,
                                                                      const hdf5_type& type);
  void say(const std::string& name, const std::string& key, const hdf5_value& value);
  /// Nothing is behind it.
  [[nodiscard]] std::size_t end() const;
  /// @return where the file ends: it may be longer, as nobody tells HDF5 of elements
  std::size_t close();

 private:
  explicit file_for_writing(handle file) noexcept : file_(std::move(file)) {}
  /// Where a dataset is that can take these elements, and nothing else has to change.
  [[nodiscard]] std::optional<std::size_t> offset_of_same(const std::string& name,
                                                          const hdf5_type& type,
                                                          std::span<const std::size_t> extents);

  handle file_;
};

/// Whether there is a file to add to, all of whose datasets and attributes can be read.
/// @throws acre::error when it is no file of HDF5's, or another program writes it
[[nodiscard]] bool can_add_to(const std::string& path);

/// None where the file has none of this name.
[[nodiscard]] std::optional<hdf5_dataset> dataset_of(const std::string& path,
                                                     const std::string& name);
[[nodiscard]] std::vector<hdf5_dataset> datasets_of(const std::string& path);
[[nodiscard]] hdf5_value attribute_of(const std::string& path, const std::string& name,
                                      const std::string& key, const site& where);

}  // namespace acre::matrix_files::hdf5
