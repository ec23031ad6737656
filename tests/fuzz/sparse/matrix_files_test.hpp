// The readers of files of sparse matrices that are fuzzed, by the names of their folders of seeds.
//
// They are calls of all members of a team, and read a file by its name. Whatever it holds, they end
// with a matrix or with acre::error: for the seeds on any number of ranks, for what libFuzzer makes
// of them on one.
#pragma once

#include <acre/algorithm/team_file.hpp>
#include <acre/global/team.hpp>
#include <acre/sparse/block_dbcsr_file.hpp>
#include <acre/sparse/block_matrix_market.hpp>
#include <acre/sparse/detail/matrix_market_text.hpp>
#include <acre/sparse/matrix_market.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <string>
#include <string_view>

namespace acre::fuzz {

struct matrix_reader {
  std::string_view name;
  void (*read)(const team& members, const std::string& path);
};

/// All entries, without a matrix.
inline detail::market_header read_entries(const team& members, const std::string& path) {
  auto file = detail::team_file::open(members, path, "read_entries", site::current());
  detail::market_share lines(file, detail::market_numbers::complex);
  lines.read_all([&] {
    while (const auto line = lines.next()) {
      if (lines.header().field == detail::market_field::pattern) continue;
      static_cast<void>(lines.number<double>(line->value));
    }
  });
  return lines.header();
}

inline void load_market_file(const team& members, const std::string& path) {
  const detail::market_header header = read_entries(members, path);
  // A matrix of few entries may have 2^40 rows, which are memory.
  constexpr std::size_t most = 4096;
  if (header.rows > most || header.columns > most) return;
  const block_distribution lies(block_sizes::covering(header.rows, 3),
                                block_sizes::covering(header.columns, 3), members.size());
  static_cast<void>(load_matrix_market<std::complex<double>>(members, path, lies));
  if (header.symmetry == detail::market_symmetry::symmetric) {
    static_cast<void>(
        load_matrix_market<std::complex<float>>(members, path, lies, block_symmetry::symmetric));
  }
  if (header.field == detail::market_field::complex) return;
  static_cast<void>(load_matrix_market<double>(members, path));
}

inline constexpr std::array matrix_readers{
    matrix_reader{"dbcsr_file",
                  [](const team& members, const std::string& path) {
                    static_cast<void>(load_dbcsr<std::complex<double>>(members, path));
                  }},
    matrix_reader{"matrix_market_file", &load_market_file},
};

}  // namespace acre::fuzz
