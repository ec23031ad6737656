// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/npy/npy.hpp>

#include <acre/base/error.hpp>
#include <acre/base/parse_number.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/layout/extents_text.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>

namespace acre::matrix_files {
namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::size_t most_header = std::size_t{1} << 20;

/// Version 1.0, padded to a multiple of 64 bytes.
std::string header_for(std::string_view type, std::span<const std::size_t> extents) {
  std::string dictionary =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::size_t extent : extents) dictionary += std::to_string(extent) + ", ";
  if (extents.size() > 1) dictionary.resize(dictionary.size() - 2);
  dictionary += "), }";
  constexpr std::size_t before = 10;
  const std::size_t bytes = (before + dictionary.size() + 1 + 63) / 64 * 64;
  dictionary.resize(bytes - before - 1, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

constexpr const char* quotes = "'\"";

/// Text after `'key':` or `"key":`.
std::optional<std::string_view> value_after(std::string_view dictionary, std::string_view key) {
  std::size_t found = std::string_view::npos;
  for (const char quote : std::string_view(quotes)) {
    found = std::min(found, dictionary.find(quote + std::string(key) + quote));
  }
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
    if (at != end && *at == 'L') ++at;
  }
}

npy_file::array_header read_header(const global::team_file& file, const site& where) {
  const auto no_npy = [&](const std::string& why, const char* advice = "write it with numpy.save") {
    return error("load_npy",
                 file.path() + " is not a readable NumPy file: " + why + describe_place(where),
                 advice);
  };
  std::array<unsigned char, 12> begin{};
  if (!file.has(0, std::as_writable_bytes(std::span(begin)).first(10)) ||
      std::memcmp(begin.data(), magic.data(), magic.size()) != 0) {
    throw no_npy("it does not begin with the magic string");
  }
  if (begin[6] < 1 || begin[6] > 3) {
    throw no_npy(
        "it has version " + std::to_string(begin[6]) + " of the format, which is unsupported",
        "write it with numpy.save, in version 1 to 3");
  }
  const bool is_long = begin[6] >= 2;
  if (is_long && !file.has(10, std::as_writable_bytes(std::span(begin)).subspan(10))) {
    throw no_npy("it ends within its header");
  }
  std::size_t length = begin[8] | std::size_t{begin[9]} << 8;
  if (is_long) length |= std::size_t{begin[10]} << 16 | std::size_t{begin[11]} << 24;
  if (length > most_header) throw no_npy("its header is longer than 1 MiB");
  const std::size_t before = is_long ? 12 : 10;
  std::string dictionary(length, ' ');
  if (!file.has(before, std::as_writable_bytes(std::span(dictionary)))) {
    throw no_npy("it ends within its header");
  }
  const auto type = value_after(dictionary, "descr");
  const auto order = value_after(dictionary, "fortran_order");
  const auto shape = value_after(dictionary, "shape");
  if (!type || !order || !shape) throw no_npy("its header lacks a type, order or shape");
  if (type->find_first_of(quotes) != 0) {
    throw no_npy("its elements are records",
                 "save each field separately: numpy.save(name, a['field'])");
  }
  const bool is_by_columns = order->starts_with("True");
  if (!is_by_columns && !order->starts_with("False")) {
    throw no_npy("its header lacks a valid fortran_order");
  }
  const auto extents = extents_in(*shape);
  if (!extents) throw no_npy("its shape is not a list of numbers");
  return {.type = std::string(type->substr(1, type->find(type->front(), 1) - 1)),
          .extents = *extents,
          .is_by_columns = is_by_columns,
          .bytes = before + length};
}

/// True if lossless or checked per value.
bool is_convertible(const npy_format& from, const npy_format& to) {
  const auto is_integer = [](char kind) { return kind == 'i' || kind == 'u'; };
  const std::size_t part = to.kind == 'c' ? to.bytes / 2 : to.bytes;
  switch (from.kind) {
    case 'b':
      return true;
    case 'i':
    case 'u':
      return is_integer(to.kind) || to.kind == 'f' || to.kind == 'c';
    case 'f':
      return (to.kind == 'f' || to.kind == 'c') && part >= from.bytes;
    default:
      return to.kind == 'c' && to.bytes >= from.bytes;
  }
}

npy_format format_of_file(const npy_file::array_header& header, const std::string& path,
                          const char* type, const site& where) {
  const auto found = npy_format_of(header.type);
  const auto wanted = npy_format_of(type);
  if (!found) {
    throw error("load_npy",
                path + " has elements of NumPy's type " + header.type + ", which is unsupported" +
                    describe_place(where),
                "save bool, integers, float16 to float64, complex64 or complex128: "
                "numpy.save(name, a.astype('" +
                    std::string(type) + "'))");
  }
  if (!is_convertible(*found, *wanted)) {
    throw error("load_npy",
                path + " has elements of NumPy's type " + header.type +
                    ", but the requested type " + type + " does not hold all of their values" +
                    describe_place(where),
                "load them with their own type and convert with acre::copy(loaded, other), or "
                "numpy.save(name, a.astype('" +
                    std::string(type) + "'))");
  }
  return *found;
}

void check_header(const npy_file::array_header& header, const std::string& path,
                  std::size_t dimensions, std::size_t element, std::size_t bytes,
                  const site& where) {
  if (header.extents.size() != dimensions) {
    throw error("load_npy",
                path + " has " + std::to_string(header.extents.size()) + " dimensions (" +
                    layout::extents_text(header.extents) + "), but " + std::to_string(dimensions) +
                    " were requested" + describe_place(where),
                "load it with its number of dimensions");
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
                "check that the file is complete");
  }
}

}  // namespace

npy_file::npy_file(global::team_file file, array_header header)
    : file_(std::move(file)), header_(std::move(header)) {}

npy_file npy_file::create(const team& members, const std::string& path, const char* type,
                          std::span<const std::size_t> extents, std::size_t element,
                          const site& where) {
  const std::string header = header_for(type, extents);
  npy_file made(global::team_file::create(members, path, "store_npy", where),
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
                        std::size_t dimensions, const site& where) {
  global::team_file file = global::team_file::open(members, path, "load_npy", where);
  array_header header = read_header(file, where);
  const npy_format format = format_of_file(header, path, type, where);
  check_header(header, path, dimensions, format.bytes, file.bytes(), where);
  npy_file opened(std::move(file), std::move(header));
  opened.in_file_ = format;
  opened.in_memory_ = npy_format_of(type).value_or(format);
  return opened;
}

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 17;
constexpr std::size_t most_wanted = std::size_t{1} << 17;

/// From row-major to column-major.
std::size_t number_by_columns(std::size_t number, std::span<const std::size_t> extents) {
  std::size_t step = 1;
  for (const std::size_t extent : extents) step *= extent;
  std::size_t result = 0;
  for (std::size_t d = extents.size(); d-- > 0;) {
    step /= extents[d];
    result += number % extents[d] * step;
    number /= extents[d];
  }
  return result;
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  float value = 0;
  if (exponent == 0x1f) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity()
                          : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    value = std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class To, class From>
bool becomes(const From& from, To& to) {
  if constexpr (std::same_as<From, bool> || std::same_as<From, To>) {
    to = static_cast<To>(from);
    return true;
  } else if constexpr (std::same_as<To, bool> || !std::is_arithmetic_v<From>) {
    return false;
  } else if constexpr (std::integral<From> && std::integral<To>) {
    // An int8 is a number, not a character. NOLINTNEXTLINE(bugprone-signed-char-misuse)
    to = static_cast<To>(from);
    return std::in_range<To>(from);
  } else if constexpr (std::integral<From>) {
    to = static_cast<To>(from);
    // A 64-bit maximum may not be representable.
    constexpr To end =
        static_cast<To>(std::uint64_t{1} << (std::numeric_limits<From>::digits - 1)) * 2;
    return to < end && static_cast<From>(to) == from;
  } else {
    to = static_cast<To>(from);
    return true;
  }
}
template <class Part, class From>
bool becomes(const From& from, std::complex<Part>& to) {
  if constexpr (requires { from.real(); }) {
    to = {static_cast<Part>(from.real()), static_cast<Part>(from.imag())};
    return true;
  } else {
    Part real{};
    const bool fits = becomes(from, real);
    to = real;
    return fits;
  }
}

template <class F>
auto with_type(const npy_format& format, const F& f) {
  const auto by_size = [&]<class One, class Two, class Four, class Eight>(
                           std::type_identity<One> one, std::type_identity<Two> two,
                           std::type_identity<Four> four, std::type_identity<Eight> eight) {
    switch (format.bytes) {
      case 1:
        return f(one);
      case 2:
        return f(two);
      case 4:
        return f(four);
      default:
        return f(eight);
    }
  };
  using std::type_identity;
  switch (format.kind) {
    case 'b':
      return f(type_identity<bool>());
    case 'i':
      return by_size(type_identity<std::int8_t>(), type_identity<std::int16_t>(),
                     type_identity<std::int32_t>(), type_identity<std::int64_t>());
    case 'u':
      return by_size(type_identity<std::uint8_t>(), type_identity<std::uint16_t>(),
                     type_identity<std::uint32_t>(), type_identity<std::uint64_t>());
    case 'f':
      return format.bytes == 8 ? f(type_identity<double>()) : f(type_identity<float>());
    default:
      return format.bytes == 16 ? f(type_identity<std::complex<double>>())
                                : f(type_identity<std::complex<float>>());
  }
}

template <class T>
T element_at(const std::byte* from, const npy_format& format) {
  std::array<std::byte, 16> bytes{};
  std::copy_n(from, format.bytes, bytes.begin());
  if (format.is_swapped) {
    const std::size_t part = format.kind == 'c' ? format.bytes / 2 : format.bytes;
    for (std::size_t first = 0; first < format.bytes; first += part) {
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                   bytes.begin() + static_cast<std::ptrdiff_t>(first + part));
    }
  }
  if constexpr (std::same_as<T, bool>) {
    return bytes[0] != std::byte{0};
  } else if constexpr (std::same_as<T, float>) {
    if (format.bytes == 2) return from_half(load<std::uint16_t>(bytes.data()));
  }
  return load<T>(bytes.data());
}

template <class From>
std::string text_of(const From& value) {
  if constexpr (std::integral<From>) {
    return std::to_string(value);
  } else {
    return "a value";
  }
}

}  // namespace

std::optional<npy_format> npy_format_of(std::string_view type) {
  if (type.size() < 3) return std::nullopt;
  const char order = type[0];
  const auto bytes = base::parse_number<std::size_t>(type.substr(2));
  if (!bytes) return std::nullopt;
  npy_format format{.kind = type[1], .bytes = *bytes};
  const auto is_one_of = [&](std::initializer_list<std::size_t> sizes) {
    return std::ranges::find(sizes, format.bytes) != sizes.end();
  };
  bool is_known = false;
  switch (format.kind) {
    case 'b':
      is_known = is_one_of({1});
      break;
    case 'i':
    case 'u':
      is_known = is_one_of({1, 2, 4, 8});
      break;
    case 'f':
      is_known = is_one_of({2, 4, 8});
      break;
    case 'c':
      is_known = is_one_of({8, 16});
      break;
    default:
      break;
  }
  constexpr char other_order = std::endian::native == std::endian::little ? '>' : '<';
  if (order != '<' && order != '>' && order != '|' && order != '=') return std::nullopt;
  format.is_swapped = order == other_order && format.bytes > 1;
  return is_known ? std::optional(format) : std::nullopt;
}

void npy_file::convert(const std::byte* from, std::byte* to, std::size_t count,
                       std::size_t number) {
  with_type(in_memory_, [&]<class To>(std::type_identity<To>) {
    with_type(in_file_, [&]<class From>(std::type_identity<From>) {
      if constexpr (requires(const From& read, To& made) { becomes(read, made); }) {
        for (std::size_t i = 0; i < count; ++i) {
          const From read = element_at<From>(from + i * in_file_.bytes, in_file_);
          To made{};
          if (!becomes(read, made) && misfit_.empty()) {
            const std::size_t in_file = number + i;
            misfit_ = text_of(read) + " of element " + std::to_string(in_file);
          }
          std::memcpy(to + i * in_memory_.bytes, &made, sizeof made);
        }
      }
    });
  });
}

void npy_file::read_converted(std::size_t number, std::byte* to, std::size_t count) {
  const std::size_t most = buffer_bytes / in_file_.bytes;
  for (std::size_t done = 0; done < count;) {
    const std::size_t now = std::min(most, count - done);
    buffer_.assign(now * in_file_.bytes, std::byte{0});
    file_.read(header_.bytes + (number + done) * in_file_.bytes, buffer_);
    convert(buffer_.data(), to + done * in_memory_.bytes, now, number + done);
    done += now;
  }
}

void npy_file::read_wanted() {
  constexpr std::size_t most_between = 4096;
  std::ranges::sort(wanted_, {}, &wanted_element::number);
  const std::size_t size = in_file_.bytes;
  for (auto first = wanted_.begin(); first != wanted_.end();) {
    auto end = first + 1;
    while (end != wanted_.end() && (end->number - (end - 1)->number) * size <= most_between &&
           (end->number - first->number) * size < buffer_bytes) {
      ++end;
    }
    buffer_.assign(((end - 1)->number - first->number + 1) * size, std::byte{0});
    file_.read(header_.bytes + first->number * size, buffer_);
    for (auto each = first; each != end; ++each) {
      convert(buffer_.data() + (each->number - first->number) * size, each->to, 1, each->number);
    }
    first = end;
  }
  wanted_.clear();
}

void npy_file::read(std::size_t number, std::span<std::byte> elements) {
  const std::size_t count = elements.size() / in_memory_.bytes;
  const bool is_as_in_memory = in_file_ == in_memory_ && in_file_.kind != 'b';
  if (!header_.is_by_columns || header_.extents.size() < 2) {
    if (is_as_in_memory) {
      file_.read(header_.bytes + number * in_file_.bytes, elements);
    } else {
      read_converted(number, elements.data(), count);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    wanted_.push_back({.number = number_by_columns(number + i, header_.extents),
                       .to = elements.data() + i * in_memory_.bytes});
    if (wanted_.size() == most_wanted) read_wanted();
  }
}

void npy_file::finish() {
  read_wanted();
  const bool may_misfit = (in_file_.kind == 'i' || in_file_.kind == 'u') && in_file_ != in_memory_;
  if (may_misfit) {
    global::succeed_together(
        file_.members(), "load_npy", file_.where(),
        [&] {
          if (misfit_.empty()) return;
          throw error(
              "load_npy",
              misfit_ + " in " + file_.path() + ", of NumPy's type " + header_.type +
                  ", does not fit the requested type" + describe_place(file_.where()),
              "load the elements with their own type and convert with acre::copy(loaded, other)");
        },
        "the conversion of a value");
  }
  file_.finish();
}

void require_extents_of_file(const std::string& path, std::span<const std::size_t> file,
                             std::span<const std::size_t> range, const site& where) {
  if (std::ranges::equal(file, range)) return;
  throw error("load_npy",
              path + " has " + layout::extents_text(file) + " elements, but the range has " +
                  layout::extents_text(range) + describe_place(where),
              "use load_npy<T, N>(team, path) for a matrix of the file's extents");
}

}  // namespace acre::matrix_files
