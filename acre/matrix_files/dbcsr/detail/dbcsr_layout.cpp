// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/dbcsr/detail/dbcsr_layout.hpp>

#include <acre/matrix_files/dbcsr/detail/byte_fault.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>

namespace acre::matrix_files {
namespace {

constexpr std::string_view magic = "DBCSRv_1.0";
constexpr std::size_t name_letters = 80;
constexpr std::string_view kinds = "NSAHK";

bool is_type(std::int32_t number) noexcept {
  return number == 1 || number == 3 || number == 5 || number == 7;
}

std::int32_t turned(std::int32_t number) noexcept {
  auto bytes = std::bit_cast<std::array<std::byte, 4>>(number);
  std::ranges::reverse(bytes);
  return std::bit_cast<std::int32_t>(bytes);
}

void append(std::string& text, std::uint64_t number) {
  const auto integer = static_cast<std::int32_t>(number);
  text.append(reinterpret_cast<const char*>(&integer), sizeof(integer));
}

std::uint32_t checked(std::int32_t number, std::int32_t least, std::uint64_t byte,
                      const std::string& what) {
  if (number >= least) return static_cast<std::uint32_t>(number);
  throw byte_fault{byte, what + " is invalid: " + std::to_string(number),
                   "the file may be damaged"};
}

void read_names(global::team_file& file, dbcsr_layout& layout) {
  std::array<char, dbcsr_layout::chunks_byte> text{};
  if (file.bytes() < text.size()) {
    throw byte_fault{file.bytes(), "the file ends within its header", "the file may be truncated"};
  }
  file.read(0, std::as_writable_bytes(std::span(text)));
  if (std::string_view(text.data(), magic.size()) != magic) {
    throw byte_fault{0, "the file does not begin with DBCSRv_1.0",
                     "write the file with dbcsr_binary_write"};
  }
  layout.name.assign(text.data() + magic.size(), name_letters);
  layout.name.erase(layout.name.find_last_not_of(' ') + 1);
  layout.kind = text[dbcsr_layout::kind_byte];
  if (kinds.find(layout.kind) != std::string_view::npos) return;
  throw byte_fault{dbcsr_layout::kind_byte, "the letter of the matrix kind is unknown",
                   "the file may be damaged"};
}

void check_type(std::int32_t type) {
  if (is_type(type)) return;
  if (is_type(turned(type))) {
    throw byte_fault{dbcsr_layout::type_byte, "the file's integers have the opposite byte order",
                     "load it on a machine with the byte order of the writer"};
  }
  throw byte_fault{dbcsr_layout::type_byte, "element type " + std::to_string(type) + " is unknown",
                   "the file may be damaged"};
}

std::vector<std::uint32_t> read_sizes(global::team_file& file, std::uint64_t byte,
                                      std::uint64_t count, const char* what) {
  const std::vector<std::int32_t> read = dbcsr_integers(file, byte, count, what);
  std::vector<std::uint32_t> sizes;
  sizes.reserve(count);
  for (const std::int32_t each : read) {
    sizes.push_back(checked(each, 1, byte + 4 * sizes.size(), "the size of a block"));
  }
  return sizes;
}

void read_counts(global::team_file& file, std::uint64_t byte, std::uint64_t chunks,
                 dbcsr_layout& layout) {
  const std::vector<std::int32_t> counts =
      dbcsr_integers(file, byte, 2 * chunks, "the counts of its chunks");
  layout.chunks.resize(chunks);
  for (std::uint64_t i = 0; i < chunks; ++i) {
    const std::uint64_t place = byte + 8 * i;
    layout.chunks[i].blocks = checked(counts[2 * i], 0, place, "the number of blocks of a chunk");
    layout.chunks[i].elements =
        checked(counts[2 * i + 1], 0, place + 4, "the number of elements of a chunk");
  }
}

}  // namespace

std::size_t bytes_of(dbcsr_type type) noexcept {
  switch (type) {
    case dbcsr_type::real_4:
      return 4;
    case dbcsr_type::complex_8:
      return 16;
    default:
      return 8;
  }
}

const char* name_of(dbcsr_type type) noexcept {
  switch (type) {
    case dbcsr_type::real_4:
      return "real numbers of 4 bytes";
    case dbcsr_type::real_8:
      return "real numbers of 8 bytes";
    case dbcsr_type::complex_4:
      return "complex numbers of 8 bytes";
    default:
      return "complex numbers of 16 bytes";
  }
}

std::uint64_t dbcsr_layout::all_blocks() const noexcept {
  return std::accumulate(
      chunks.begin(), chunks.end(), std::uint64_t{0},
      [](std::uint64_t sum, const dbcsr_chunk& each) { return sum + each.blocks; });
}

void dbcsr_layout::place_chunks(std::uint64_t bytes) {
  const std::uint64_t counts = sizes_byte + 4 * (rows.size() + columns.size());
  std::uint64_t place = counts + 8 * chunks.size();
  const auto move_on = [&](std::uint64_t by, std::size_t chunk, std::uint64_t count_byte,
                           const char* what) {
    place += by;
    if (place <= bytes) return;
    throw byte_fault{count_byte,
                     "chunk " + std::to_string(chunk) + " has its " + what + " up to byte " +
                         std::to_string(place) + ", but the file has " + std::to_string(bytes),
                     "the file may be truncated"};
  };
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].index = place;
    move_on(4 * (rows.size() + 1 + 2 * chunks[i].blocks), i, counts + 8 * i, "blocks");
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].data = place;
    move_on(bytes_of(type) * chunks[i].elements, i, counts + 8 * i + 4, "elements");
  }
}

std::string dbcsr_layout::head() const {
  std::string text(magic);
  text += name;
  text.resize(magic.size() + name_letters, ' ');
  text += kind;
  append(text, chunks.size());
  append(text, static_cast<std::uint64_t>(type));
  append(text, rows.size());
  append(text, columns.size());
  for (const std::uint32_t each : rows) append(text, each);
  for (const std::uint32_t each : columns) append(text, each);
  for (const dbcsr_chunk& each : chunks) {
    append(text, each.blocks);
    append(text, each.elements);
  }
  return text;
}

std::vector<std::int32_t> dbcsr_integers(global::team_file& file, std::uint64_t byte,
                                         std::uint64_t count, const char* what) {
  if (file.bytes() < byte + 4 * count) {
    throw byte_fault{file.bytes(),
                     std::string("the file ends within ") + what + ", which extend to byte " +
                         std::to_string(byte + 4 * count),
                     "the file may be truncated"};
  }
  std::vector<std::int32_t> read(count);
  file.read(byte, std::as_writable_bytes(std::span(read)));
  return read;
}

dbcsr_layout read_dbcsr_layout(global::team_file& file) {
  dbcsr_layout layout;
  read_names(file, layout);
  const auto numbers = dbcsr_integers(file, dbcsr_layout::chunks_byte, 4, "its header");
  check_type(numbers[1]);
  layout.type = static_cast<dbcsr_type>(numbers[1]);
  const std::uint64_t chunks =
      checked(numbers[0], 1, dbcsr_layout::chunks_byte, "the number of chunks");
  const std::uint64_t rows = checked(numbers[2], 0, 99, "the number of rows of blocks");
  const std::uint64_t columns = checked(numbers[3], 0, 103, "the number of columns of blocks");
  const std::uint64_t behind_rows = dbcsr_layout::sizes_byte + 4 * rows;
  layout.rows = read_sizes(file, dbcsr_layout::sizes_byte, rows, "the sizes of its rows");
  layout.columns = read_sizes(file, behind_rows, columns, "the sizes of its columns");
  read_counts(file, behind_rows + 4 * columns, chunks, layout);
  layout.place_chunks(file.bytes());
  if (layout.kind != 'N' && layout.rows != layout.columns) {
    throw byte_fault{dbcsr_layout::kind_byte,
                     "a matrix with a symmetry has different rows and columns",
                     "the file may be damaged"};
  }
  return layout;
}

}  // namespace acre::matrix_files
