// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/dbcsr/block_dbcsr_file.hpp>

#include <acre/base/error.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/for_block_elements.hpp>
#include <acre/global/team/team_file.hpp>
#include <acre/matrix_files/dbcsr/detail/byte_fault.hpp>
#include <acre/matrix_files/dbcsr/detail/dbcsr_blocks.hpp>
#include <acre/matrix_files/dbcsr/detail/dbcsr_layout.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {
namespace {

using base::is_complex;
using matrix_files::byte_fault;
using matrix_files::dbcsr_block;
using matrix_files::dbcsr_layout;
using matrix_files::dbcsr_type;

template <class T>
constexpr dbcsr_type dbcsr_type_of() {
  if constexpr (is_complex<T>) {
    return sizeof(T) == 8 ? dbcsr_type::complex_4 : dbcsr_type::complex_8;
  } else {
    return sizeof(T) == 4 ? dbcsr_type::real_4 : dbcsr_type::real_8;
  }
}

template <class From, class T>
constexpr bool holds() {
  if constexpr (is_complex<T>) {
    using part = typename T::value_type;
    if constexpr (is_complex<From>) {
      return sizeof(From) <= sizeof(T);
    } else {
      return sizeof(From) <= sizeof(part);
    }
  } else {
    return !is_complex<From> && sizeof(From) <= sizeof(T);
  }
}

template <class From, class T>
bool convert(std::span<const std::byte> bytes, std::vector<T>& values) {
  if constexpr (holds<From, T>()) {
    values.resize(bytes.size() / sizeof(From));
    for (std::size_t i = 0; i < values.size(); ++i) {
      From each;
      std::memcpy(&each, bytes.data() + i * sizeof(From), sizeof(From));
      values[i] = static_cast<T>(each);
    }
    return true;
  } else {
    return false;
  }
}

template <class T>
bool convert(dbcsr_type type, std::span<const std::byte> bytes, std::vector<T>& values) {
  switch (type) {
    case dbcsr_type::real_4:
      return convert<float>(bytes, values);
    case dbcsr_type::real_8:
      return convert<double>(bytes, values);
    case dbcsr_type::complex_4:
      return convert<std::complex<float>>(bytes, values);
    case dbcsr_type::complex_8:
      return convert<std::complex<double>>(bytes, values);
  }
  return false;
}

template <class T>
void check_type(dbcsr_type type) {
  std::vector<T> none;
  if (convert(type, {}, none)) return;
  throw byte_fault{
      dbcsr_layout::type_byte,
      std::string("elements are ") + matrix_files::name_of(type) +
          ", which the requested type cannot hold",
      std::string("load it as ") + (type == matrix_files::dbcsr_type::real_8 ? "double"
                                    : type == dbcsr_type::complex_4          ? "std::complex<float>"
                                                                    : "std::complex<double>")};
}

block_symmetry symmetry_of(const dbcsr_layout& layout) {
  const bool is_real = layout.type == dbcsr_type::real_4 || layout.type == dbcsr_type::real_8;
  switch (layout.kind) {
    case 'S':
      return block_symmetry::symmetric;
    case 'A':
      return block_symmetry::antisymmetric;
    case 'H':
      return block_symmetry::hermitian;
    case 'K':
      if (is_real) return block_symmetry::antisymmetric;
      throw byte_fault{dbcsr_layout::kind_byte, "antihermitian matrices are unsupported",
                       "multiply the matrix by i and store the hermitian result"};
    default:
      return block_symmetry::none;
  }
}

void check_blocks(const block_distribution& found, const block_distribution& wanted,
                  const std::string& path, const site& where) {
  if (found.rows() == wanted.rows() && found.columns() == wanted.columns()) return;
  throw error("load_dbcsr",
              path + " has other blocks than the requested distribution: " +
                  std::to_string(found.rows().blocks()) + " x " +
                  std::to_string(found.columns().blocks()) + " of " +
                  std::to_string(found.rows().elements()) + " x " +
                  std::to_string(found.columns().elements()) + " elements" + describe_place(where),
              "omit the distribution, or use the block sizes of the file");
}

template <class T>
std::uint64_t put_share(global::team_file& file, const dbcsr_layout& layout, block_matrix<T>& to,
                        const site& where) {
  const std::vector<dbcsr_block> blocks = matrix_files::dbcsr_share(file, layout);
  std::vector<T> values;
  std::vector<T> turned;
  matrix_files::each_dbcsr_block(file, blocks, [&](const dbcsr_block& block, const auto& bytes) {
    convert(layout.type, bytes, values);
    if (block.is_turned) {
      turned.resize(values.size());
      block_matrices::mirror(values.data(), to.columns().size_of(block.column),
                             to.rows().size_of(block.row), turned.data(), block_symmetry::none);
      std::swap(values, turned);
    }
    to.put_block(block.row, block.column, values, where);
  });
  return blocks.size();
}

/// Detects duplicates: `put` exceeds the stored blocks.
template <class T>
void check_each_once(const block_matrix<T>& loaded, std::uint64_t put, const std::string& path,
                     const site& where) {
  const std::uint64_t all = loaded.members().allreduce(put, op::sum, where);
  const std::uint64_t stored =
      loaded.members().allreduce(std::uint64_t{loaded.local_blocks()}, op::sum, where);
  if (all == stored) return;
  throw error("load_dbcsr",
              path + " has " + std::to_string(all) + " blocks, but " +
                  std::to_string(all - stored) + " of them are duplicates" + describe_place(where),
              "store each block once");
}

template <class T>
char kind_of(block_symmetry symmetry) {
  switch (symmetry) {
    case block_symmetry::symmetric:
      return 'S';
    case block_symmetry::antisymmetric:
      return 'A';
    case block_symmetry::hermitian:
      return is_complex<T> ? 'H' : 'S';
    case block_symmetry::none:
      break;
  }
  return 'N';
}

template <class T>
dbcsr_layout layout_of(const block_matrix<T>& matrix, const std::string& name) {
  dbcsr_layout layout;
  layout.name = name;
  layout.kind = kind_of<T>(matrix.symmetry());
  layout.type = dbcsr_type_of<T>();
  layout.rows.assign(matrix.rows().sizes().begin(), matrix.rows().sizes().end());
  layout.columns.assign(matrix.columns().sizes().begin(), matrix.columns().sizes().end());
  return layout;
}

void check_counts(const dbcsr_layout& layout, const site& where) {
  std::uint64_t largest = std::max(layout.rows.size(), layout.columns.size());
  for (const std::uint32_t each : layout.rows) largest = std::max<std::uint64_t>(largest, each);
  for (const std::uint32_t each : layout.columns) largest = std::max<std::uint64_t>(largest, each);
  for (const matrix_files::dbcsr_chunk& each : layout.chunks) {
    largest = std::max({largest, each.blocks, each.elements});
  }
  if (largest <= std::numeric_limits<std::int32_t>::max()) return;
  throw error("store_dbcsr",
              "the counts of a DBCSR file have 32 bits, which " + std::to_string(largest) +
                  " exceeds" + describe_place(where),
              "store it from more ranks");
}

/// @return this member's chunk. Collective. Not empty: DBCSR 2.5 skips chunks that a rank reads
/// after an empty one.
template <class T>
matrix_files::dbcsr_chunk add_chunks(const block_matrix<T>& matrix, dbcsr_layout& layout,
                                     const site& where) {
  matrix_files::dbcsr_chunk mine;
  matrix.each_local_block([&](std::size_t, std::size_t, const box_span<const T, 2>& block) {
    ++mine.blocks;
    mine.elements += block.size();
  });
  std::size_t number = 0;
  const auto all = matrix.members().allgather(mine, where);
  for (rank_t member = 0; member < all.size(); ++member) {
    if (member == matrix.members().rank()) number = layout.chunks.size();
    if (all[member].blocks != 0) layout.chunks.push_back(all[member]);
  }
  if (layout.chunks.empty()) layout.chunks.emplace_back();
  check_counts(layout, where);
  layout.place_chunks(std::numeric_limits<std::uint64_t>::max());
  return layout.chunks[std::min(number, layout.chunks.size() - 1)];
}

template <class T>
std::vector<std::int32_t> index_of(const block_matrix<T>& matrix) {
  const std::size_t rows = matrix.rows().blocks();
  const std::size_t blocks = matrix.local_blocks();
  std::vector<std::int32_t> index(rows + 1 + 2 * blocks);
  std::size_t number = 0;
  std::int64_t place = 1;
  matrix.each_local_block([&](std::size_t i, std::size_t j, const box_span<const T, 2>& block) {
    ++index[i + 1];
    index[rows + 1 + number] = static_cast<std::int32_t>(j + 1);
    index[rows + 1 + blocks + number] = static_cast<std::int32_t>(place);
    ++number;
    place += static_cast<std::int64_t>(block.size());
  });
  for (std::size_t i = 0; i < rows; ++i) index[i + 1] += index[i];
  return index;
}

template <class T>
void write_elements(global::team_file& file, const block_matrix<T>& matrix, std::uint64_t place) {
  constexpr std::size_t piece_bytes = std::size_t{4} << 20;
  std::vector<T> piece;
  const auto flush = [&] {
    const auto bytes = std::as_bytes(std::span<const T>(piece));
    file.write(place, bytes);
    place += bytes.size();
    piece.clear();
  };
  matrix.each_local_block([&](std::size_t, std::size_t, const box_span<const T, 2>& block) {
    piece.insert(piece.end(), block.data(), block.data() + block.size());
    if (piece.size() * sizeof(T) >= piece_bytes) flush();
  });
  flush();
}

}  // namespace

template <class T>
void store_dbcsr(const std::string& path, const block_matrix<T>& matrix, const std::string& name,
                 const site& where) {
  const team& members = matrix.members();
  dbcsr_layout layout = layout_of(matrix, name);
  const matrix_files::dbcsr_chunk mine = add_chunks(matrix, layout, where);
  auto file = global::team_file::create(members, path, "store_dbcsr", where);
  const std::string head = layout.head();
  if (file.is_first()) file.write(0, std::as_bytes(std::span(head)));
  file.share();
  const bool are_none = layout.all_blocks() == 0;
  if (matrix.local_blocks() != 0 || (are_none && file.is_first())) {
    const std::vector<std::int32_t> index = index_of(matrix);
    file.write(mine.index, std::as_bytes(std::span(index)));
    write_elements(file, matrix, mine.data);
  }
  file.finish();
}

template <class T>
block_matrix<T> load_dbcsr(const team& members, const std::string& path,
                           const std::optional<block_distribution>& lies, const site& where) {
  auto file = global::team_file::open(members, path, "load_dbcsr", where);
  dbcsr_layout layout;
  block_symmetry symmetry{};
  matrix_files::read_together(file, "load_dbcsr", [&] {
    layout = matrix_files::read_dbcsr_layout(file);
    check_type<T>(layout.type);
    symmetry = symmetry_of(layout);
  });
  const block_sizes rows(layout.rows, where);
  const block_sizes columns(layout.columns, where);
  const block_distribution found(rows, columns, members.size());
  if (lies) check_blocks(found, *lies, path, where);
  block_matrix<T> loaded(members, lies ? *lies : found, symmetry, where);
  std::uint64_t put = 0;
  matrix_files::read_together(file, "load_dbcsr",
                              [&] { put = put_share(file, layout, loaded, where); });
  loaded.finalise(where);
  check_each_once(loaded, put, path, where);
  return loaded;
}

#define ACRE_INSTANTIATE(T)                                                                 \
  template void store_dbcsr(const std::string&, const block_matrix<T>&, const std::string&, \
                            const site&);                                                   \
  template block_matrix<T> load_dbcsr<T>(const team&, const std::string&,                   \
                                         const std::optional<block_distribution>&, const site&);
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre
