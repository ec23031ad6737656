// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/binsparse/detail/blocks_of_binsparse.hpp>

#include <acre/base/error.hpp>
#include <acre/csr/csr_rows.hpp>

#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace acre::matrix_files {
namespace {

constexpr const char* load_blocks_call = "load_binsparse_blocks";
constexpr const char* hermitian_name = "hermitian";
constexpr std::uint64_t most_binsparse_rows = std::uint64_t{1} << 40;

block_symmetry block_symmetry_of(const binsparse_header& header) {
  switch (header.symmetry) {
    case binsparse_symmetry::symmetric:
      return header.symmetry_of_blocks == hermitian_name && !header.is_complex
                 ? block_symmetry::hermitian
                 : block_symmetry::symmetric;
    case binsparse_symmetry::hermitian:
      return block_symmetry::hermitian;
    case binsparse_symmetry::skew:
      return block_symmetry::antisymmetric;
    case binsparse_symmetry::none:
      break;
  }
  return block_symmetry::none;
}

}  // namespace

void check_size_of_rows(const binsparse_header& header, const std::string& path,
                        const site& where) {
  if (header.rows <= most_binsparse_rows &&
      header.columns <= std::numeric_limits<column_t>::max()) {
    return;
  }
  throw error("load_binsparse",
              path + ": a matrix of " + std::to_string(header.rows) + " rows and " +
                  std::to_string(header.columns) + " columns is too large" + describe_place(where),
              "use at most 2^40 rows and 2^32 - 1 columns");
}

binsparse_header header_of_blocks(block_symmetry symmetry, bool of_complex) {
  binsparse_header made;
  made.row_blocks = "acre_row_blocks";
  made.column_blocks = "acre_column_blocks";
  made.half = symmetry == block_symmetry::none ? binsparse_half::all : binsparse_half::lower;
  switch (symmetry) {
    case block_symmetry::symmetric:
      made.symmetry = binsparse_symmetry::symmetric;
      made.symmetry_of_blocks = "symmetric";
      break;
    case block_symmetry::antisymmetric:
      made.symmetry = binsparse_symmetry::skew;
      made.symmetry_of_blocks = "antisymmetric";
      break;
    case block_symmetry::hermitian:
      made.symmetry = of_complex ? binsparse_symmetry::hermitian : binsparse_symmetry::symmetric;
      made.symmetry_of_blocks = hermitian_name;
      break;
    case block_symmetry::none:
      made.symmetry_of_blocks = "none";
      break;
  }
  return made;
}

block_symmetry symmetry_of_blocks(const binsparse_header& header,
                                  std::optional<block_symmetry> wanted, const std::string& path,
                                  const site& where) {
  const block_symmetry has = block_symmetry_of(header);
  if (!wanted) return has;
  const bool is_either = !header.is_complex && header.symmetry == binsparse_symmetry::symmetric &&
                         *wanted != block_symmetry::antisymmetric;
  if (*wanted == block_symmetry::none || *wanted == has || is_either) return *wanted;
  throw error(load_blocks_call,
              path + " does not have the requested symmetry" + describe_place(where),
              "load it with block_symmetry::none, or with the symmetry of the file");
}

block_sizes sizes_of_blocks(std::vector<std::uint32_t> read, std::uint64_t elements,
                            const std::string& what, const site& where) {
  const std::uint64_t all = std::accumulate(read.begin(), read.end(), std::uint64_t{0});
  const char* const advice = "pass a distribution: the blocks of the file are then ignored";
  if (all != elements) {
    throw error(load_blocks_call,
                what + " has blocks of " + std::to_string(all) + " elements, but the matrix has " +
                    std::to_string(elements) + describe_place(where),
                advice);
  }
  try {
    return block_sizes(std::move(read), where);
  } catch (const error& failed) {
    throw error(load_blocks_call, what + ": " + failed.problem(), advice);
  }
}

void require_blocks(const binsparse_header& header, const std::string& path, const site& where) {
  if (!header.row_blocks.empty() && !header.column_blocks.empty()) return;
  throw error(load_blocks_call, path + " does not define its blocks" + describe_place(where),
              "pass a distribution, for example of block_sizes::covering(rows, size)");
}

void check_elements(const binsparse_header& header, const block_distribution& wanted,
                    const std::string& path, const site& where) {
  const std::size_t rows = wanted.rows().elements();
  const std::size_t columns = wanted.columns().elements();
  if (header.rows == rows && header.columns == columns) return;
  throw error(load_blocks_call,
              path + " has " + std::to_string(header.rows) + " rows and " +
                  std::to_string(header.columns) + " columns, but the distribution has " +
                  std::to_string(rows) + " and " + std::to_string(columns) + describe_place(where),
              "use block_sizes::covering(rows, size) for the size of the file");
}

}  // namespace acre::matrix_files
