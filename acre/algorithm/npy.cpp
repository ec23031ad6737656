// The format is that of NumPy's documents, "NEP 1: A simple file format for NumPy arrays": a magic
// word, the length of the header, the header, which is a literal of Python, and the elements.
#include <acre/algorithm/npy.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace acre::detail {
namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::size_t most_header = std::size_t{1} << 20;

/// The header of version 1.0, padded so that elements begin at a multiple of 64.
std::string header_for(std::string_view type, std::span<const std::size_t> extents) {
  std::string dictionary =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::size_t extent : extents) dictionary += std::to_string(extent) + ", ";
  if (extents.size() > 1) dictionary.resize(dictionary.size() - 2);
  dictionary += "), }";
  constexpr std::size_t before = 10;  // magic, version, length
  const std::size_t bytes = (before + dictionary.size() + 1 + 63) / 64 * 64;
  dictionary.resize(bytes - before - 1, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

/// What follows `'key':` in a literal of a dictionary.
std::optional<std::string_view> value_after(std::string_view dictionary, std::string_view key) {
  std::string quoted(1, '\'');
  quoted.append(key).append(1, '\'');
  const std::size_t found = dictionary.find(quoted);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view rest = dictionary.substr(found + key.size() + 2);
  const std::size_t begin = rest.find_first_not_of(" :");
  if (begin == std::string_view::npos) return std::nullopt;
  return rest.substr(begin);
}

std::optional<std::vector<std::size_t>> extents_in(std::string_view tuple) {
  if (!tuple.starts_with('(')) return std::nullopt;
  std::vector<std::size_t> extents;
  const char* at = tuple.data() + 1;
  const char* const end = tuple.data() + tuple.size();
  for (;;) {
    while (at != end && (*at == ' ' || *at == ',')) ++at;
    if (at == end) return std::nullopt;
    if (*at == ')') return extents;
    std::size_t extent = 0;
    const auto [behind, problem] = std::from_chars(at, end, extent);
    if (problem != std::errc()) return std::nullopt;
    extents.push_back(extent);
    at = behind;
  }
}

/// @throws acre::error
npy_file::array_header read_header(const team_file& file, const site& where) {
  const auto no_npy = [&](const char* why, const char* advice =
                                               "write it by numpy.save, of "
                                               "numpy.ascontiguousarray(a)") {
    return error(
        "load_npy",
        file.path() + " is no file of NumPy's that can be read: " + why + describe_place(where),
        advice);
  };
  std::array<unsigned char, 12> begin{};
  if (!file.has(0, std::as_writable_bytes(std::span(begin)).first(10)) ||
      std::memcmp(begin.data(), magic.data(), magic.size()) != 0) {
    throw no_npy("it does not begin as one");
  }
  const bool is_long = begin[6] >= 2;  // the length has four bytes
  if (is_long && !file.has(10, std::as_writable_bytes(std::span(begin)).subspan(10))) {
    throw no_npy("it ends in its header");
  }
  std::size_t length = begin[8] | std::size_t{begin[9]} << 8;
  if (is_long) length |= std::size_t{begin[10]} << 16 | std::size_t{begin[11]} << 24;
  if (length > most_header) throw no_npy("its header is longer than 1 MiB");
  const std::size_t before = is_long ? 12 : 10;
  std::string dictionary(length, ' ');
  if (!file.has(before, std::as_writable_bytes(std::span(dictionary)))) {
    throw no_npy("it ends in its header");
  }
  const auto type = value_after(dictionary, "descr");
  const auto order = value_after(dictionary, "fortran_order");
  const auto shape = value_after(dictionary, "shape");
  if (!type || !order || !shape) throw no_npy("its header does not say type, order and shape");
  if (!type->starts_with('\'')) {
    throw no_npy("its elements are records", "save each field alone: numpy.save(name, a['field'])");
  }
  if (!order->starts_with("False")) throw no_npy("its elements lie by columns");
  const auto extents = extents_in(*shape);
  if (!extents) throw no_npy("its shape is no list of numbers");
  return {.type = std::string(type->substr(1, type->find('\'', 1) - 1)),
          .extents = *extents,
          .bytes = before + length};
}

void check_header(const npy_file::array_header& header, const std::string& path, const char* type,
                  std::size_t dimensions, std::size_t element, std::size_t bytes,
                  const site& where) {
  if (header.type != type) {
    throw error("load_npy",
                path + " has elements of NumPy's type " + header.type + ", and " + type +
                    " was asked for" + describe_place(where),
                "read it as what it is, or convert it: numpy.save(name, a.astype('" +
                    std::string(type) + "'))");
  }
  if (header.extents.size() != dimensions) {
    throw error("load_npy",
                path + " has " + std::to_string(header.extents.size()) + " dimensions (" +
                    layout::extents_text(header.extents) + "), and " + std::to_string(dimensions) +
                    " were asked for" + describe_place(where),
                "read it with as many dimensions as it has");
  }
  std::size_t needed = element;
  for (const std::size_t extent : header.extents) {
    if (extent != 0 && needed > std::numeric_limits<std::size_t>::max() / 2 / extent) {
      needed = std::numeric_limits<std::size_t>::max() / 2;
    } else {
      needed *= extent;
    }
  }
  if (bytes < header.bytes || bytes - header.bytes < needed) {
    throw error("load_npy",
                path + " ends before its last element: " + std::to_string(bytes) + " bytes for " +
                    layout::extents_text(header.extents) + describe_place(where),
                "was it copied as a whole?");
  }
}

}  // namespace

npy_file::npy_file(team_file file, array_header header)
    : file_(std::move(file)), header_(std::move(header)) {}

npy_file npy_file::create(const team& members, const std::string& path, const char* type,
                          std::span<const std::size_t> extents, std::size_t element,
                          const site& where) {
  const std::string header = header_for(type, extents);
  npy_file made(team_file::create(members, path, "store_npy", where),
                {.type = type,
                 .extents = std::vector(extents.begin(), extents.end()),
                 .bytes = header.size()});
  if (made.file_.is_first()) {
    std::size_t bytes = element;
    for (const std::size_t extent : extents) bytes *= extent;
    made.file_.reserve(0, header.size() + bytes);
    made.file_.write(0, std::as_bytes(std::span(header)));
  }
  made.file_.share();
  return made;
}

npy_file npy_file::open(const team& members, const std::string& path, const char* type,
                        std::size_t dimensions, std::size_t element, const site& where) {
  team_file file = team_file::open(members, path, "load_npy", where);
  // Each member reads the header: the file is the same for all, and so is what is wrong with it.
  array_header header = read_header(file, where);
  check_header(header, path, type, dimensions, element, file.bytes(), where);
  return {std::move(file), std::move(header)};
}

void require_extents_of_file(const std::string& path, std::span<const std::size_t> file,
                             std::span<const std::size_t> range, const site& where) {
  if (std::ranges::equal(file, range)) return;
  throw error("load_npy",
              path + " has " + layout::extents_text(file) + " elements, and the range " +
                  layout::extents_text(range) + describe_place(where),
              "load_npy<T, N>(team, path) makes a matrix as large as the file");
}

}  // namespace acre::detail
