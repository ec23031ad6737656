// SPDX-License-Identifier: BSD-3-Clause
// Fuzzed array and matrix readers, by seed folder. They are collective, and return or throw
// acre::error: seeds on any number of ranks, libFuzzer's input on one.
#pragma once

#include <acre/array/matrix.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/dbcsr/block_dbcsr_file.hpp>
#include <acre/matrix_files/matrix_market/block_matrix_market.hpp>
#include <acre/matrix_files/matrix_market/detail/matrix_market_text.hpp>
#include <acre/matrix_files/matrix_market/matrix_market.hpp>
#include <acre/matrix_files/npy/npy.hpp>
#if ACRE_FUZZ_HDF5
#include <acre/matrix_files/binsparse/binsparse.hpp>
#include <acre/matrix_files/binsparse/block_binsparse.hpp>
#include <acre/matrix_files/hdf5/hdf5.hpp>
#endif

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace acre::fuzz {

struct matrix_reader {
  std::string_view name;
  /// Null without HDF5.
  void (*read)(const team& members, const std::string& path);
};

inline base::market_header read_entries(const team& members, const std::string& path) {
  auto file = global::team_file::open(members, path, "read_entries", site::current());
  matrix_files::market_share lines(file, matrix_files::market_numbers::complex);
  lines.read_all([&] {
    while (const auto line = lines.next()) {
      static_cast<void>(base::read_market_value<std::complex<double>>(*line, lines.header()));
    }
  });
  return lines.header();
}

inline void load_market_file(const team& members, const std::string& path) {
  const base::market_header header = read_entries(members, path);
  // Larger extents need too much memory: a file with few entries may have 2^40 rows.
  constexpr std::size_t most = 4096;
  if (header.rows > most || header.columns > most) return;
  const block_distribution lies(block_sizes::covering(header.rows, 3),
                                block_sizes::covering(header.columns, 3), members.size());
  static_cast<void>(load_matrix_market<std::complex<double>>(members, path, lies));
  if (header.symmetry == base::market_symmetry::symmetric) {
    static_cast<void>(
        load_matrix_market<std::complex<float>>(members, path, lies, block_symmetry::symmetric));
  }
  if (header.field == base::market_field::complex) return;
  static_cast<void>(load_matrix_market<double>(members, path));
}

inline constexpr std::size_t most_elements = 1 << 16;

/// Calls all readers; throws the first error if all refuse.
inline void any_of(const std::vector<std::function<void()>>& readers) {
  std::exception_ptr problem;
  bool is_read = false;
  for (const auto& each : readers) {
    try {
      each();
      is_read = true;
    } catch (const error&) {
      if (!problem) problem = std::current_exception();
    }
  }
  if (!is_read) std::rethrow_exception(problem);
}

/// The size of the file limits the extents.
inline void load_npy_file(const team& members, const std::string& path) {
  any_of({[&] { static_cast<void>(load_npy<double, 1>(members, path)); },
          [&] { static_cast<void>(load_npy<double, 2>(members, path)); },
          [&] { static_cast<void>(load_npy<std::int32_t, 3>(members, path)); },
          [&] { static_cast<void>(load_npy<std::complex<float>, 1>(members, path)); }});
}

#if ACRE_FUZZ_HDF5
inline void load_hdf5_file(const team& members, const std::string& path) {
  const auto found = hdf5_info(path);
  for (const hdf5_dataset& each : found) {
    try {
      static_cast<void>(hdf5_attribute(path, each.name, "acre_pattern"));
    } catch (const error&) {
      continue;
    }
  }
  for (const hdf5_dataset& each : found) {
    // Compressed or unwritten data can exceed the file size.
    std::size_t elements = 1;
    for (const std::size_t extent : each.extents) {
      elements = extent == 0 ? 0 : std::min(elements, 2 * most_elements / extent) * extent;
    }
    if (elements > most_elements) continue;
    if (each.extents.size() == 1) {
      static_cast<void>(load_hdf5<double, 1>(members, path, each.name));
    } else {
      static_cast<void>(load_hdf5<double, 2>(members, path, each.name));
    }
  }
}

inline void load_binsparse_file(const team& members, const std::string& path) {
  const matrix_files::binsparse_header header =
      matrix_files::binsparse_input(members, path, "/", site::current()).header();
  constexpr std::size_t most = 4096;
  if (header.rows > most || header.columns > most) return;
  any_of({[&] { static_cast<void>(load_binsparse<double>(members, path)); },
          [&] { static_cast<void>(load_binsparse_blocks<std::complex<double>>(members, path)); }});
}
#else
inline constexpr void (*load_hdf5_file)(const team&, const std::string&) = nullptr;
inline constexpr void (*load_binsparse_file)(const team&, const std::string&) = nullptr;
#endif

inline constexpr std::array matrix_readers{
    matrix_reader{"dbcsr_file",
                  [](const team& members, const std::string& path) {
                    static_cast<void>(load_dbcsr<std::complex<double>>(members, path));
                  }},
    matrix_reader{"matrix_market_file", &load_market_file},
    matrix_reader{"npy_file", &load_npy_file},
    matrix_reader{"hdf5_file", load_hdf5_file},
    matrix_reader{"binsparse_file", load_binsparse_file},
};

}  // namespace acre::fuzz
