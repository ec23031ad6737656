// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads distributed arrays in HDF5 files; link acre::hdf5.
//
//     acre::store_hdf5("run.h5", "/fields/heat", m);    // adds or replaces
//     acre::load_hdf5("run.h5", "/fields/heat", m);
//     auto again = acre::load_hdf5<double, 2>(acre::world(), "run.h5", "/fields/heat");
//
//     acre::hdf5_writer file(acre::world(), "run.h5");
//     file.create<double, 3>("/steps", {100, 80, 60});
//     file.store("/steps", {.first = {7, 0, 0}, .extents = {1, 80, 60}}, m);
//     file.attribute("/steps", "time", 3.5);
//     file.close();
//
// Member 0 writes metadata with serial HDF5; all members write elements directly, without MPI, and
// must see the file. The old file remains until completion, and after failures. HDF5 reads in a
// child process, as damaged files may crash it; meanwhile no other thread may call HDF5.
#pragma once

#include <acre/array/matrix.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/box.hpp>
#include <acre/layout/pattern_text.hpp>
#include <acre/matrix_files/hdf5/hdf5_dataset.hpp>
#include <acre/matrix_files/hdf5/hdf5_element.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acre {

namespace matrix_files {

template <class R>
[[nodiscard]] std::vector<std::size_t> extents_for_hdf5(const R& range) {
  if constexpr (requires { range.extents(); }) {
    const auto extents = range.extents();
    return {extents.begin(), extents.end()};
  } else {
    return {static_cast<std::size_t>(std::ranges::size(range))};
  }
}
template <class R>
[[nodiscard]] std::string pattern_for_hdf5(const R& range) {
  if constexpr (requires { layout::pattern_text(range.pattern()); }) {
    return layout::pattern_text(range.pattern());
  } else {
    return {};
  }
}

/// A dataset opened for reading. All functions but extents(), pattern() and read() are collective
/// and throw failures on all members.
class hdf5_input {
 public:
  /// @throws acre::error when missing, or of an unfit type
  hdf5_input(const team& members, const std::string& path, const std::string& name,
             const hdf5_type& type, const site& where);
  ~hdf5_input();

  [[nodiscard]] const std::vector<std::size_t>& extents() const noexcept;
  [[nodiscard]] const std::string& pattern() const noexcept;
  void require_dimensions(std::size_t dimensions) const;
  /// Selects the dataset, or a box.
  /// @throws acre::error if the range does not fit
  void place(std::span<const std::size_t> range);
  void place(std::span<const std::size_t> first, std::span<const std::size_t> box,
             std::span<const std::size_t> range);
  template <class R>
  void read_into(R& range) {
    ranges::each_own_run(range, [&](std::size_t index, auto elements) {
      read(index, std::as_writable_bytes(std::span(elements)));
    });
    finish();
  }
  /// Reads elements of a one-dimensional dataset from `first` on, by member; `bytes` may be empty.
  /// @throws acre::error on all members; if out of bounds, only on this member
  void read_run(std::size_t first, std::span<std::byte> bytes);

 private:
  /// Reads from element `index` of the selection; complete after finish().
  void read(std::size_t index, std::span<std::byte> bytes);
  void finish();

  struct state;
  std::unique_ptr<state> state_;
};

[[noreturn]] void throw_other_pattern(const std::string& path, const std::string& name,
                                      const std::string& stored, rank_t members, const site& where);

}  // namespace matrix_files

template <class R>
concept hdf5_range = ranges::memory_range<R> && hdf5_element<ranges::value_of<R>>;

/// Writes datasets to a file, which replaces the old one at close(), not after an error.
/// Collective; errors are thrown on all members and close the writer.
///
/// Creates missing groups. Datasets are contiguous; patterns are in the attribute "acre_pattern"
/// (layout/pattern_text.hpp).
class hdf5_writer {
 public:
  /// Makes a new file. Cost: 2 broadcasts + 2 allgathers.
  hdf5_writer(const team& members, const std::string& path, const site& where = site::current());
  /// Starts with a copy of the old file. Additional cost: 2 allgathers, 1 broadcast and a parallel
  /// copy.
  [[nodiscard]] static hdf5_writer adding_to(const team& members, const std::string& path,
                                             const site& where = site::current());
  ~hdf5_writer();
  hdf5_writer(hdf5_writer&&) noexcept;
  hdf5_writer& operator=(hdf5_writer&&) noexcept;

  /// Stores or replaces a dataset of the range's extents(), or one-dimensional. Cost: 1 broadcast
  /// and 1 allgather; one system call per contiguous run.
  template <hdf5_range R>
  void store(const std::string& name, R&& range, const site& where = site::current()) {
    require_members(ranges::members(range), where);
    view::begin_collective_call("hdf5_writer::store", where, {{"the name", std::string_view(name)}},
                                range);
    begin(name, matrix_files::hdf5_type_of<ranges::value_of<R>>(),
          matrix_files::extents_for_hdf5(range), matrix_files::pattern_for_hdf5(range), where);
    write(range);
  }
  /// Stores a box of an existing dataset of equal type. Extents of range and box are equal, apart
  /// from extents of 1. Cost: as above.
  template <std::size_t N, hdf5_range R>
  void store(const std::string& name, const layout::box<N>& part, R&& range,
             const site& where = site::current()) {
    require_members(ranges::members(range), where);
    view::begin_collective_call("hdf5_writer::store", where, {{"the name", std::string_view(name)}},
                                range);
    begin_box(name, matrix_files::hdf5_type_of<ranges::value_of<R>>(), part.first, part.extents,
              matrix_files::extents_for_hdf5(range), where);
    write(range);
  }
  /// Concatenates the members' elements. Cost: store(), and 1 allgather.
  template <hdf5_element T>
  void store_joined(const std::string& name, std::span<const T> mine,
                    const site& where = site::current()) {
    const std::size_t first =
        begin_joined(name, matrix_files::hdf5_type_of<T>(), mine.size(), where);
    write_run(first, std::as_bytes(mine));
    end();
  }
  /// Makes a zero-filled dataset. Cost: 1 broadcast.
  template <hdf5_element T, std::size_t N>
  void create(const std::string& name, const layout::coordinates<N>& extents,
              const site& where = site::current()) {
    create(name, matrix_files::hdf5_type_of<T>(), extents, where);
  }
  /// Sets or replaces an attribute. Cost: 1 broadcast.
  void attribute(const std::string& name, const std::string& key, const hdf5_value& value,
                 const site& where = site::current());
  /// Completes the file on disk. Cost: 1 broadcast + 2 allgathers.
  void close(const site& where = site::current());

 private:
  struct state;
  explicit hdf5_writer(std::unique_ptr<state> made) noexcept;
  /// Runs f; closes the writer on errors.
  /// @param where  by value: a reference could be to the state
  template <class F>
  void guarded(site where, F&& f);

  void create(const std::string& name, const matrix_files::hdf5_type& type,
              std::span<const std::size_t> extents, const site& where);
  void begin(const std::string& name, const matrix_files::hdf5_type& type,
             std::span<const std::size_t> extents, const std::string& pattern, const site& where);
  void begin_box(const std::string& name, const matrix_files::hdf5_type& type,
                 std::span<const std::size_t> first, std::span<const std::size_t> box,
                 std::span<const std::size_t> range, const site& where);
  [[nodiscard]] std::size_t begin_joined(const std::string& name,
                                         const matrix_files::hdf5_type& type, std::size_t mine,
                                         const site& where);
  void require_members(const team& of_range, const site& where) const;
  template <class R>
  void write(R& range) {
    ranges::each_own_run(range, [&](std::size_t index, auto elements) {
      write_run(index, std::as_bytes(std::span(elements)));
    });
    end();
  }
  void write_run(std::size_t index, std::span<const std::byte> bytes) noexcept;
  void end();

  std::unique_ptr<state> state_;
};

/// Adds or replaces one dataset by hdf5_writer::adding_to(). Collective.
/// @throws acre::error on all members when writing fails
template <hdf5_range R>
void store_hdf5(const std::string& path, const std::string& name, R&& range,
                const site& where = site::current()) {
  view::begin_call("store_hdf5", where, range);
  hdf5_writer file = hdf5_writer::adding_to(ranges::members(range), path, where);
  file.store(name, range, where);
  file.close(where);
}

/// Reads a dataset of equal extents: directly if contiguous and of equal type, otherwise by HDF5.
/// Collective. Cost: 2 allgathers, 1 broadcast, one system call per contiguous run; by HDF5 also 1
/// allreduce.
/// @throws acre::error on all members when the dataset is missing, unreadable or does not match;
/// after read failures the range may be partly changed
template <hdf5_range R>
void load_hdf5(const std::string& path, const std::string& name, R&& range,
               const site& where = site::current()) {
  view::begin_collective_call(
      "load_hdf5", where,
      {{"the file", std::string_view(path)}, {"the name", std::string_view(name)}}, range);
  matrix_files::hdf5_input file(ranges::members(range), path, name,
                                matrix_files::hdf5_type_of<ranges::value_of<R>>(), where);
  file.place(matrix_files::extents_for_hdf5(range));
  file.read_into(range);
}

/// Reads a box, as hdf5_writer::store() stores it. Collective. Cost: as above.
template <std::size_t N, hdf5_range R>
void load_hdf5(const std::string& path, const std::string& name, const layout::box<N>& part,
               R&& range, const site& where = site::current()) {
  view::begin_collective_call(
      "load_hdf5", where,
      {{"the file", std::string_view(path)}, {"the name", std::string_view(name)}}, range);
  matrix_files::hdf5_input file(ranges::members(range), path, name,
                                matrix_files::hdf5_type_of<ranges::value_of<R>>(), where);
  file.place(part.first, part.extents, matrix_files::extents_for_hdf5(range));
  file.read_into(range);
}

/// Reads into a new matrix with default pattern. Collective.
template <hdf5_element T, std::size_t N>
[[nodiscard]] matrix<T, N> load_hdf5(const team& members, const std::string& path,
                                     const std::string& name, const site& where = site::current()) {
  matrix_files::hdf5_input file(members, path, name, matrix_files::hdf5_type_of<T>(), where);
  file.require_dimensions(N);
  layout::coordinates<N> extents{};
  std::ranges::copy(file.extents(), extents.begin());
  matrix<T, N> read(members, extents, where);
  file.place(extents);
  file.read_into(read);
  return read;
}

/// Reads into a new matrix with the stored pattern. Collective.
/// @tparam Matrix  with a pattern of make_distribution()
/// @throws acre::error on all members, also for other pattern kinds or team sizes
template <class Matrix>
[[nodiscard]] Matrix load_hdf5_as_stored(const team& members, const std::string& path,
                                         const std::string& name,
                                         const site& where = site::current()) {
  using T = typename Matrix::value_type;
  matrix_files::hdf5_input file(members, path, name, matrix_files::hdf5_type_of<T>(), where);
  file.require_dimensions(Matrix::dimensions);
  layout::coordinates<Matrix::dimensions> extents{};
  std::ranges::copy(file.extents(), extents.begin());
  const auto pattern = layout::pattern_of_text<typename Matrix::pattern_type>(
      file.pattern(), extents, members.size());
  if (!pattern)
    matrix_files::throw_other_pattern(path, name, file.pattern(), members.size(), where);
  Matrix read(members, *pattern, T{}, where);
  file.place(extents);
  file.read_into(read);
  return read;
}

/// All datasets, by name. Local. @throws acre::error if unreadable or not HDF5
[[nodiscard]] std::vector<hdf5_dataset> hdf5_info(const std::string& path);
/// Null if missing. Local. @throws acre::error if unreadable or not HDF5
[[nodiscard]] std::optional<hdf5_dataset> hdf5_info(const std::string& path,
                                                    const std::string& name);
/// Attribute of a dataset, a group, or the file ("/"). Local.
/// @throws acre::error when missing, or neither number nor text
[[nodiscard]] hdf5_value hdf5_attribute(const std::string& path, const std::string& name,
                                        const std::string& key,
                                        const site& where = site::current());

}  // namespace acre
