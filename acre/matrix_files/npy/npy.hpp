// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads distributed arrays in NumPy files (.npy).
//
//     acre::store_npy("field.npy", m);
//     auto again = acre::load_npy<double, 2>(acre::world(), "field.npy");
//     acre::load_npy("field.npy", m);
//
// All members must see the file. The old file remains until completion, and after failures.
#pragma once

#include <acre/algorithm/refused_calls.hpp>
#include <acre/array/array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/construct.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/detail/range_extents.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace acre {

namespace matrix_files {

/// NumPy's name, e.g. "<f8"; empty if unsupported.
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

/// Element format in file or memory.
struct npy_format {
  char kind = 0;          ///< b(ool), i(nteger), u(nsigned), f(loat), c(omplex)
  std::size_t bytes = 0;  ///< per element
  bool is_swapped = false;

  friend bool operator==(const npy_format&, const npy_format&) = default;
};
/// Null if unsupported.
[[nodiscard]] std::optional<npy_format> npy_format_of(std::string_view type);

/// Array in a file. Collective except write() and read(), whose failures the next collective call
/// throws.
class npy_file {
 public:
  struct array_header {
    std::string type;
    std::vector<std::size_t> extents;
    bool is_by_columns = false;
    std::size_t bytes = 0;
  };

  /// Creates a file, written under a temporary name until finish(). @param element  bytes of one
  static npy_file create(const team& members, const std::string& path, const char* type,
                         std::span<const std::size_t> extents, std::size_t element,
                         const site& where);
  /// Opens for reading as `type`.
  /// @throws acre::error when invalid, truncated or not convertible
  static npy_file open(const team& members, const std::string& path, const char* type,
                       std::size_t dimensions, const site& where);

  [[nodiscard]] const array_header& header() const noexcept { return header_; }
  void write(std::size_t offset, std::span<const std::byte> bytes) noexcept {
    file_.write(header_.bytes + offset, bytes);
  }
  /// Reads from row-major element `number` on; `elements` must exist until finish().
  void read(std::size_t number, std::span<std::byte> elements);
  /// Publishes a written file.
  void finish();

 private:
  struct wanted_element {
    std::size_t number;
    std::byte* to;
  };

  npy_file(global::team_file file, array_header header);

  void read_converted(std::size_t number, std::byte* to, std::size_t count);
  void read_wanted();
  void convert(const std::byte* from, std::byte* to, std::size_t count, std::size_t number);

  global::team_file file_;
  array_header header_;
  npy_format in_file_;
  npy_format in_memory_;
  std::vector<wanted_element> wanted_;
  std::vector<std::byte> buffer_;
  std::string misfit_;
};

void require_extents_of_file(const std::string& path, std::span<const std::size_t> file,
                             std::span<const std::size_t> range, const site& where);

template <class T, class Elements>
void write_computed(npy_file& file, std::size_t index, const Elements& elements) {
  constexpr std::size_t most = (std::size_t{1} << 16) / sizeof(T);
  const auto size = static_cast<std::size_t>(std::ranges::size(elements));
  const base::plain_buffer<T> buffer(smaller(most, size));
  auto at = std::ranges::begin(elements);
  for (std::size_t done = 0; done < size;) {
    const std::span<T> part = buffer.span().first(smaller(most, size - done));
    for (T& each : part) {
      base::construct(&each, static_cast<T>(*at));
      ++at;
    }
    file.write((index + done) * sizeof(T), std::as_bytes(part));
    done += part.size();
  }
}

}  // namespace matrix_files

/// Bool, integers, float, double, and complex.
template <class T>
concept numpy_type = matrix_files::npy_type<T>()[0] != '\0';

/// Storable and loadable ranges.
template <class R>
concept npy_source = ranges::distributed_range<R> && numpy_type<ranges::value_of<R>>;
template <class R>
concept npy_target = npy_source<R> && algorithm::range_for<R, algorithm::range_use::in_place>;

namespace matrix_files {

template <algorithm::range_use Use, class R>
consteval void explain_npy() {
  if constexpr (algorithm::range_for<R, Use>) {
    constexpr bool has_type = numpy_type<ranges::value_of<R>>;
    static_assert(has_type,
                  "npy files do not support this element type: use bool, integers, float, double "
                  "or complex. For structs write each member by a view: a | "
                  "acre::views::transform([](const T& x) { return x.member; })");
  } else {
    algorithm::explain_range<Use, R>();
  }
}

}  // namespace matrix_files

/// Writes a range or view, row-major, with its extents(), else one-dimensional; coarrays have
/// members as first extent. Collective. Cost: 4 allgathers + 1 broadcast; one system call per
/// contiguous run.
/// @throws acre::error on all members when writing fails
template <npy_source R>
void store_npy(const std::string& path, R&& range, const site& where = site::current()) {
  using T = ranges::value_of<R>;
  view::begin_collective_call("store_npy", where, {{"the name", std::string_view(path)}}, range);
  auto file =
      matrix_files::npy_file::create(ranges::members(range), path, matrix_files::npy_type<T>(),
                                     matrix_files::extents_of_range(range), sizeof(T), where);
  ranges::each_own_run(range, [&](std::size_t index, auto elements) {
    if constexpr (std::ranges::contiguous_range<decltype(elements)>) {
      file.write(index * sizeof(T), std::as_bytes(std::span(elements)));
    } else {
      matrix_files::write_computed<T>(file, index, elements);
    }
  });
  file.finish();
}

/// Reads a file of equal extents, row- or column-major, in either byte order. Converts losslessly:
/// to wider types and complex; integers also to narrower or floating-point types if all values fit.
/// Collective. Cost: 2 allgathers, for other integer types also 1 allreduce; one system call per
/// contiguous run; column-major: per group of nearby elements, and memory for 2^17 elements.
/// @throws acre::error on all members when reading or conversion fails, or extents differ; the
/// range may be partly changed
template <npy_target R>
void load_npy(const std::string& path, R&& range, const site& where = site::current()) {
  using T = ranges::value_of<R>;
  view::begin_collective_call("load_npy", where, {{"the name", std::string_view(path)}}, range);
  const std::vector<std::size_t> extents = matrix_files::extents_of_range(range);
  auto file = matrix_files::npy_file::open(ranges::members(range), path,
                                           matrix_files::npy_type<T>(), extents.size(), where);
  matrix_files::require_extents_of_file(path, file.header().extents, extents, where);
  ranges::each_own_run(range, [&](std::size_t index, auto elements) {
    file.read(index, std::as_writable_bytes(std::span(elements)));
  });
  file.finish();
}

template <class R>
  requires(!npy_source<R> && !algorithm::hides_segments<R>)
void store_npy(const std::string&, R&&, const site& = site::current()) {
  matrix_files::explain_npy<algorithm::range_use::read, R>();
}
template <class R>
  requires(!npy_target<R> && !algorithm::hides_segments<R>)
void load_npy(const std::string&, R&&, const site& = site::current()) {
  matrix_files::explain_npy<algorithm::range_use::in_place, R>();
}
template <class... Arguments>
  requires(algorithm::hides_segments<Arguments> || ...)
void store_npy(Arguments&&...) {
  algorithm::explain_range<algorithm::range_use::read, Arguments...>();
}
template <class... Arguments>
  requires(algorithm::hides_segments<Arguments> || ...)
void load_npy(Arguments&&...) {
  algorithm::explain_range<algorithm::range_use::read, Arguments...>();
}

/// Reads a file into a new matrix. Collective.
template <numpy_type T, std::size_t N>
[[nodiscard]] matrix<T, N> load_npy(const team& members, const std::string& path,
                                    const site& where = site::current()) {
  layout::coordinates<N> extents{};
  {
    const auto file =
        matrix_files::npy_file::open(members, path, matrix_files::npy_type<T>(), N, where);
    for (std::size_t d = 0; d < N; ++d) extents[d] = file.header().extents[d];
  }
  matrix<T, N> read(members, extents, where);
  load_npy(path, read, where);
  return read;
}

namespace matrix_files {
struct the_name_before_the_range {
  template <ranges::distributed_range R>
  the_name_before_the_range(const R&) = delete;  // write store_npy(name, range)
};
struct the_type_and_the_number_of_dimensions {
  the_type_and_the_number_of_dimensions(const char*) = delete;  // load_npy<double, 2>(team, name)
  the_type_and_the_number_of_dimensions(const team&) = delete;  // load_npy<double, 2>(team, name)
};
}  // namespace matrix_files
void store_npy(matrix_files::the_name_before_the_range, const std::string&);
void load_npy(matrix_files::the_name_before_the_range, const std::string&);
void load_npy(matrix_files::the_type_and_the_number_of_dimensions);
void load_npy(matrix_files::the_type_and_the_number_of_dimensions, const std::string&);
template <class T>
void load_npy(matrix_files::the_type_and_the_number_of_dimensions, const std::string&);

}  // namespace acre
