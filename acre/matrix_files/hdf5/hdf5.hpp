// SPDX-License-Identifier: BSD-3-Clause
// Distributed arrays in files of HDF5, written and read by all members at once. Link acre::hdf5.
//
//     acre::store_hdf5("run.h5", "/fields/heat", m);    // adds it to the file, or replaces it
//     acre::load_hdf5("run.h5", "/fields/heat", m);     // into what there is
//     auto again = acre::load_hdf5<double, 2>(acre::world(), "run.h5", "/fields/heat");
//
//     acre::hdf5_writer file(acre::world(), "run.h5");  // several at once, in a new file
//     file.store("/x", x);
//     file.create<double, 3>("/steps", {100, 80, 60});  // filled box by box
//     file.store("/steps", {.first = {7, 0, 0}, .extents = {1, 80, 60}}, m);
//     file.attribute("/steps", "time", 3.5);
//     file.close();
//
// Member 0 writes what describes the datasets, by HDF5; elements are written to where HDF5 says
// that they lie, by all members, without HDF5 and without MPI. So Debian's serial library is
// enough, and its parallel ones serve as well. All members see the file, as on one host or on a
// file system that hosts share. A file takes its name when it is whole and on the disk: what had
// the name before stays until then, and for good when something goes wrong on any member, which is
// an error on all.
//
// HDF5 reads in a child of the process, as it may crash on a damaged file; that is an error then.
// No other thread of a process may call HDF5 meanwhile: Debian's library is for one thread.
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

/// A dataset that is read. Each call is collective but extents(), pattern() and read(); what failed
/// on one member is thrown on all.
class hdf5_input {
 public:
  /// @throws acre::error when there is no such dataset, or its type does not fit
  hdf5_input(const team& members, const std::string& path, const std::string& name,
             const hdf5_type& type, const site& where);
  ~hdf5_input();

  [[nodiscard]] const std::vector<std::size_t>& extents() const noexcept;
  [[nodiscard]] const std::string& pattern() const noexcept;
  /// @throws acre::error
  void require_dimensions(std::size_t dimensions) const;
  /// All of it is read into a range of these extents; or the box that begins at `first` is.
  /// @throws acre::error when it does not fit
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
  /// Of a dataset of one dimension, those from `first` on: on each member others, or none.
  /// @throws acre::error on all members; on this one alone where the dataset has not so many
  void read_run(std::size_t first, std::span<std::byte> bytes);

 private:
  /// The elements from this index of the range on. They are there after finish().
  void read(std::size_t index, std::span<std::byte> bytes);
  void finish();

  struct state;
  std::unique_ptr<state> state_;
};

/// @throws acre::error
[[noreturn]] void throw_other_pattern(const std::string& path, const std::string& name,
                                      const std::string& stored, rank_t members, const site& where);

}  // namespace matrix_files

/// A range whose elements can be in a file.
template <class R>
concept hdf5_range = ranges::memory_range<R> && hdf5_element<ranges::value_of<R>>;

/// A file that is being written, with several datasets. It gets its name by close(); without, and
/// when a call throws, what had the name before stays as it is. All calls are collective, and throw
/// acre::error on all members when one cannot write; then the writer is closed.
///
/// Names are paths, and groups are made as they are needed. Datasets are contiguous; those of
/// arrays and matrices say their pattern, in the attribute "acre_pattern"
/// (layout/pattern_text.hpp).
class hdf5_writer {
 public:
  /// A new file. Cost: 1 broadcast and 2 allgathers.
  hdf5_writer(const team& members, const std::string& path, const site& where = site::current());
  /// With what the file has, if there is one. Cost: as a new one, and 2 allgathers, 1 broadcast and
  /// a copy of the file, which all members make together; a file system that can share blocks
  /// copies nothing.
  [[nodiscard]] static hdf5_writer adding_to(const team& members, const std::string& path,
                                             const site& where = site::current());
  ~hdf5_writer();
  hdf5_writer(hdf5_writer&&) noexcept;
  hdf5_writer& operator=(hdf5_writer&&) noexcept;

  /// Stores a range: one dimension, or those of its extents(). A dataset that has the name is
  /// replaced. Cost: 1 broadcast and 1 allgather; a system call for each run of a member's
  /// elements.
  template <hdf5_range R>
  void store(const std::string& name, R&& range, const site& where = site::current()) {
    require_members(ranges::members(range), where);
    view::begin_collective_call("hdf5_writer::store", where, {{"the name", std::string_view(name)}},
                                range);
    begin(name, matrix_files::hdf5_type_of<ranges::value_of<R>>(),
          matrix_files::extents_for_hdf5(range), matrix_files::pattern_for_hdf5(range), where);
    write(range);
  }
  /// Stores a range as a box of a dataset that there is, of the same type. Extents of 1 may be left
  /// out on either side: a matrix of two dimensions is a box of three. Cost: as above.
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
  /// Stores what each member has, one behind the other, in one dimension; they need not have as
  /// many. Cost: as store(), and 1 allgather.
  template <hdf5_element T>
  void store_joined(const std::string& name, std::span<const T> mine,
                    const site& where = site::current()) {
    const std::size_t first =
        begin_joined(name, matrix_files::hdf5_type_of<T>(), mine.size(), where);
    write_run(first, std::as_bytes(mine));
    end();
  }
  /// A dataset of zeros, to be filled box by box. Cost: 1 broadcast.
  template <hdf5_element T, std::size_t N>
  void create(const std::string& name, const layout::coordinates<N>& extents,
              const site& where = site::current()) {
    create(name, matrix_files::hdf5_type_of<T>(), extents, where);
  }
  /// Says something of a dataset or a group that there is, and replaces what was said under the
  /// same key. Cost: 1 broadcast.
  void attribute(const std::string& name, const std::string& key, const hdf5_value& value,
                 const site& where = site::current());
  /// The file gets its name. Cost: 1 broadcast and 2 allgathers, and what it takes the disk.
  void close(const site& where = site::current());

 private:
  struct state;
  explicit hdf5_writer(std::unique_ptr<state> made) noexcept;
  /// f(state), with what goes wrong closing the writer.
  /// @param where  by value: it may lie in the state
  template <class F>
  void guarded(site where, F&& f);

  void create(const std::string& name, const matrix_files::hdf5_type& type,
              std::span<const std::size_t> extents, const site& where);
  void begin(const std::string& name, const matrix_files::hdf5_type& type,
             std::span<const std::size_t> extents, const std::string& pattern, const site& where);
  void begin_box(const std::string& name, const matrix_files::hdf5_type& type,
                 std::span<const std::size_t> first, std::span<const std::size_t> box,
                 std::span<const std::size_t> range, const site& where);
  /// @return how many elements the members before this one have
  [[nodiscard]] std::size_t begin_joined(const std::string& name,
                                         const matrix_files::hdf5_type& type, std::size_t mine,
                                         const site& where);
  /// @throws acre::error when the range is spread over others than write the file
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

/// Adds a range to a file, as hdf5_writer::adding_to() does: other datasets stay, and a file that
/// is not there is made. Who stores several saves copies with a writer. Collective.
/// @throws acre::error on all members when one cannot write; what had the name before is still
/// there
template <hdf5_range R>
void store_hdf5(const std::string& path, const std::string& name, R&& range,
                const site& where = site::current()) {
  view::begin_call("store_hdf5", where, range);
  hdf5_writer file = hdf5_writer::adding_to(ranges::members(range), path, where);
  file.store(name, range, where);
  file.close(where);
}

/// Reads a dataset into a range of its extents. One that is contiguous and of this very type is
/// read from where it lies. Others (in chunks, compressed, of the other byte order, of a smaller
/// type whose values the range's all hold) each member reads by HDF5. Collective. Cost: 2
/// allgathers, 1 broadcast, a system call for each run of a member's elements.
/// @throws acre::error on all members when one cannot read, for a dataset of other extents or of a
///         type with other values, or where there is none; the range may have changed in part when
///         reading itself fails
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

/// Reads a box of a dataset into a range of as many elements; extents of 1 may be left out on
/// either side. Collective. Cost: as above.
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

/// Reads a dataset into a new matrix with its extents, in boxes, whatever pattern it was stored
/// with. Collective.
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

/// Reads a dataset into a new matrix with the pattern that it was stored with: ragged blocks and
/// parts by weight are as they were. Collective.
/// @tparam Matrix  with a pattern of make_distribution()'s
/// @throws acre::error on all members also when the pattern is of another kind, or for another
/// number
///         of members
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

/// All datasets of a file, by name. Any rank may ask alone. @throws acre::error
[[nodiscard]] std::vector<hdf5_dataset> hdf5_info(const std::string& path);
/// One of them; none where the file has no dataset of this name. Any rank may ask alone.
/// @throws acre::error when it is no file of HDF5's
[[nodiscard]] std::optional<hdf5_dataset> hdf5_info(const std::string& path,
                                                    const std::string& name);
/// What is said of a dataset, a group or, by the name "/", the file. Any rank may ask alone.
/// @throws acre::error when nothing is said under that key, or neither a number nor text
[[nodiscard]] hdf5_value hdf5_attribute(const std::string& path, const std::string& name,
                                        const std::string& key,
                                        const site& where = site::current());

}  // namespace acre
