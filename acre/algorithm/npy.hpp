// Distributed arrays in NumPy's files (.npy), written and read by all members at once.
//
//     acre::store_npy("field.npy", m);
//     auto again = acre::load_npy<double, 2>(acre::world(), "field.npy");   // on any team
//     acre::load_npy("field.npy", m);                                       // into what there is
//
// Elements are in the file by rows, whatever the pattern. Each member writes and reads what it
// holds; all of them see the file, as on one host or on a file system that hosts share. A file is
// written beside its name, and takes the name when it is whole and on the disk: what had the name
// before stays until then, and for good when something goes wrong on any member, which is an error
// on all.
#pragma once

#include <acre/algorithm/team_file.hpp>
#include <acre/array/array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace acre {

namespace detail {

/// NumPy's name of a type: "<f8". Empty: it has none.
template <class T>
[[nodiscard]] constexpr const char* npy_type() noexcept {
  constexpr std::size_t size = sizeof(T);
  if constexpr (std::same_as<T, bool>) return "|b1";
  if constexpr (std::floating_point<T>) return size == 8 ? "<f8" : size == 4 ? "<f4" : "";
  if constexpr (std::signed_integral<T>) {
    return size == 8 ? "<i8" : size == 4 ? "<i4" : size == 2 ? "<i2" : "|i1";
  }
  if constexpr (std::unsigned_integral<T>) {
    return size == 8 ? "<u8" : size == 4 ? "<u4" : size == 2 ? "<u2" : "|u1";
  }
  if constexpr (requires(T x) {
                  x.real();
                  x.imag();
                }) {
    return size == 16 ? "<c16" : size == 8 ? "<c8" : "";
  }
  return "";
}

/// An array in a file. Each call is collective but write() and read(); what failed on one member is
/// thrown on all by the next collective call.
class npy_file {
 public:
  struct array_header {
    std::string type;
    std::vector<std::size_t> extents;
    std::size_t bytes = 0;  ///< of the header
  };

  /// To be written: under a name of its own until finish().
  /// @param element  bytes
  static npy_file create(const team& members, const std::string& path, const char* type,
                         std::span<const std::size_t> extents, std::size_t element,
                         const site& where);
  /// To be read. @throws acre::error when it is no such file, or too short for what it says
  static npy_file open(const team& members, const std::string& path, const char* type,
                       std::size_t dimensions, std::size_t element, const site& where);

  [[nodiscard]] const array_header& header() const noexcept { return header_; }
  /// Writes or reads elements, `offset` bytes behind the first.
  void write(std::size_t offset, std::span<const std::byte> bytes) noexcept {
    file_.write(header_.bytes + offset, bytes);
  }
  void read(std::size_t offset, std::span<std::byte> bytes) noexcept {
    file_.read(header_.bytes + offset, bytes);
  }
  /// A file that was written gets its name.
  void finish() { file_.finish(); }

 private:
  npy_file(team_file file, array_header header);

  team_file file_;
  array_header header_;
};

/// @throws acre::error
void require_extents_of_file(const std::string& path, std::span<const std::size_t> file,
                             std::span<const std::size_t> range, const site& where);

template <class R>
[[nodiscard]] std::vector<std::size_t> extents_of_range(const R& range) {
  if constexpr (requires { range.extents(); }) {
    const auto extents = range.extents();
    return {extents.begin(), extents.end()};
  } else {
    return {static_cast<std::size_t>(std::ranges::size(range))};
  }
}

}  // namespace detail

/// A type that NumPy has: bool, integers, float, double, and complex numbers of these.
template <class T>
concept numpy_type = detail::npy_type<T>()[0] != '\0';

/// Writes a range: one dimension, or those of its extents(). Collective in its team. Cost: 4
/// allgathers; a system call for each run of a member's elements.
/// @throws acre::error on all members when one cannot write; what had the name before is still
/// there
template <ranges::memory_range R>
  requires numpy_type<ranges::value_of<R>>
void store_npy(const std::string& path, R&& range, const site& where = site::current()) {
  using T = ranges::value_of<R>;
  auto file = detail::npy_file::create(ranges::members(range), path, detail::npy_type<T>(),
                                       detail::extents_of_range(range), sizeof(T), where);
  ranges::each_own_run(range, [&](std::size_t index, auto elements) {
    file.write(index * sizeof(T), std::as_bytes(std::span(elements)));
  });
  file.finish();
}

/// Reads a file into a range of its extents. Collective in its team. Cost: 2 allgathers,
/// and as store_npy().
/// @throws acre::error on all members when one cannot read, or for a file of other extents or of
///         another type; the range may have changed in part when reading itself fails
template <ranges::memory_range R>
  requires ranges::writable_range<R> && numpy_type<ranges::value_of<R>>
void load_npy(const std::string& path, R&& range, const site& where = site::current()) {
  using T = ranges::value_of<R>;
  const std::vector<std::size_t> extents = detail::extents_of_range(range);
  auto file = detail::npy_file::open(ranges::members(range), path, detail::npy_type<T>(),
                                     extents.size(), sizeof(T), where);
  detail::require_extents_of_file(path, file.header().extents, extents, where);
  ranges::each_own_run(range, [&](std::size_t index, auto elements) {
    file.read(index * sizeof(T), std::as_writable_bytes(std::span(elements)));
  });
  file.finish();
}

/// Reads a file into a new matrix with the extents that it says. Collective.
template <numpy_type T, std::size_t N>
[[nodiscard]] matrix<T, N> load_npy(const team& members, const std::string& path,
                                    const site& where = site::current()) {
  layout::coordinates<N> extents{};
  {
    const auto file =
        detail::npy_file::open(members, path, detail::npy_type<T>(), N, sizeof(T), where);
    for (std::size_t d = 0; d < N; ++d) extents[d] = file.header().extents[d];
  }
  matrix<T, N> read(members, extents, where);
  load_npy(path, read, where);
  return read;
}

}  // namespace acre
