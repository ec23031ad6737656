// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/binsparse/detail/binsparse_header.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>

namespace acre::matrix_files {
namespace {

using nlohmann::json;

constexpr const char* load_call = "load_binsparse";

struct format_name {
  std::string_view name;
  binsparse_format format;
};
constexpr format_name format_names[] = {
    {"CSR", binsparse_format::csr},   {"CSC", binsparse_format::csc},
    {"DCSR", binsparse_format::dcsr}, {"DCSC", binsparse_format::dcsc},
    {"COO", binsparse_format::coor},  {"COOR", binsparse_format::coor},
    {"COOC", binsparse_format::cooc},
};

struct structure_name {
  std::string_view name;
  binsparse_symmetry symmetry;
  binsparse_half half;
};
constexpr structure_name structure_names[] = {
    {"general", binsparse_symmetry::none, binsparse_half::all},
    {"symmetric_lower", binsparse_symmetry::symmetric, binsparse_half::lower},
    {"symmetric_upper", binsparse_symmetry::symmetric, binsparse_half::upper},
    {"hermitian_lower", binsparse_symmetry::hermitian, binsparse_half::lower},
    {"hermitian_upper", binsparse_symmetry::hermitian, binsparse_half::upper},
    {"skew_symmetric_lower", binsparse_symmetry::skew, binsparse_half::lower},
    {"skew_symmetric_upper", binsparse_symmetry::skew, binsparse_half::upper},
};

constexpr std::array<std::string_view, 8> integer_types = {"uint8", "uint16", "uint32", "uint64",
                                                           "int8",  "int16",  "int32",  "int64"};

bool is_integer(std::string_view type) {
  return std::ranges::find(integer_types, type) != integer_types.end();
}

std::optional<std::string> inside(std::string_view text, std::string_view modifier) {
  if (text.size() < modifier.size() + 2 || !text.starts_with(modifier)) return std::nullopt;
  if (text[modifier.size()] != '[' || text.back() != ']') return std::nullopt;
  text.remove_prefix(modifier.size() + 1);
  text.remove_suffix(1);
  return std::string(text);
}

class description {
 public:
  description(const std::string& text, const std::string& what)
      : what_(what), all_(json::parse(text, nullptr, false)) {
    if (all_.is_discarded()) fail("is not JSON", "check that the file is complete");
    if (!all_.is_object() || !all_.contains("binsparse") || !all_["binsparse"].is_object()) {
      fail("lacks the object \"binsparse\"", "use a file in the Binsparse format");
    }
    matrix_ = all_["binsparse"];
  }

  [[nodiscard]] binsparse_header read() const {
    check_version();
    binsparse_header made;
    made.format = format();
    std::tie(made.rows, made.columns) = shape();
    made.entries = count(required("number_of_stored_values"), "number_of_stored_values");
    read_structure(made);
    read_types(made);
    if (const json* fill = find(matrix_, "fill")) {
      if (!fill->is_boolean())
        fail("has a \"fill\" that is neither true nor false", "use true or false");
      made.has_fill = fill->get<bool>();
    }
    if (const json* acre = find(all_, "acre"); acre != nullptr && acre->is_object()) {
      made.row_blocks = text_or_nothing(*acre, "row_blocks");
      made.column_blocks = text_or_nothing(*acre, "column_blocks");
      made.symmetry_of_blocks = text_or_nothing(*acre, "symmetry");
    }
    return made;
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice) const {
    throw error(load_call, what_ + ": the attribute \"binsparse\" " + problem, advice);
  }

  static const json* find(const json& in, const char* key) {
    const auto found = in.find(key);
    return found == in.end() ? nullptr : &*found;
  }
  [[nodiscard]] const json& required(const char* key) const {
    if (const json* found = find(matrix_, key)) return *found;
    fail("lacks \"" + std::string(key) + "\"", "the Binsparse format requires this key");
  }
  static std::string text_or_nothing(const json& in, const char* key) {
    const json* found = find(in, key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
  }
  static std::string shown(const json& value) {
    constexpr std::size_t most = 80;
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > most) text = text.substr(0, most) + "...";
    return text;
  }

  void check_version() const {
    const json& version = required("version");
    const std::string text = version.is_string() ? version.get<std::string>() : std::string();
    if (text.starts_with("0.") || text.starts_with("1.")) return;
    fail("has the unsupported version " + shown(version), "supported versions are 0 and 1");
  }

  [[nodiscard]] binsparse_format format() const {
    const json* said = find(matrix_, "format");
    if (said == nullptr && find(matrix_, "custom") != nullptr) {
      fail("has an unsupported custom format", "use a named matrix format");
    }
    const json& name = required("format");
    for (const format_name& each : format_names) {
      if (name.is_string() && name.get<std::string>() == each.name) return each.format;
    }
    fail("has the unsupported format " + shown(name),
         "supported formats are CSR, CSC, DCSR, DCSC, COO, COOR and COOC");
  }

  /// Some writers store integers as floating-point numbers.
  [[nodiscard]] std::uint64_t count(const json& value, const char* key) const {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (value.is_number_float()) {
      const auto number = value.get<double>();
      constexpr double most = 9007199254740992;
      if (number >= 0 && number <= most && number == std::floor(number)) {
        return static_cast<std::uint64_t>(number);
      }
    }
    fail(std::string("has the invalid \"") + key + "\" " + shown(value),
         "counts must be integers of at most 64 bits");
  }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> shape() const {
    const json& both = required("shape");
    if (!both.is_array() || both.size() != 2) {
      fail("has the invalid \"shape\" " + shown(both), "a matrix has two extents");
    }
    return {count(both[0], "shape"), count(both[1], "shape")};
  }

  void read_structure(binsparse_header& made) const {
    const json* said = find(matrix_, "structure");
    if (said == nullptr) return;
    const auto found = std::ranges::find_if(structure_names, [&](const structure_name& each) {
      return said->is_string() && said->get<std::string>() == each.name;
    });
    if (found == std::end(structure_names)) {
      fail("has the unsupported structure " + shown(*said),
           "supported structures are symmetric, hermitian and skew_symmetric, each with _lower or "
           "_upper");
    }
    made.symmetry = found->symmetry;
    made.half = found->half;
    if (made.half != binsparse_half::all && made.rows != made.columns) {
      fail("has the structure " + shown(*said) + ", but " + std::to_string(made.rows) +
               " rows and " + std::to_string(made.columns) + " columns",
           "this structure requires equal numbers of rows and columns");
    }
  }

  [[nodiscard]] std::string index_type(const json& types, const char* name, bool is_used,
                                       std::uint64_t entries) const {
    if (!is_used) return {};
    const json* type = find(types, name);
    if (type == nullptr && entries == 0) return {};
    if (type == nullptr) fail("lacks a type of " + std::string(name), "add it to \"data_types\"");
    if (type->is_string() && is_integer(type->get<std::string>())) return type->get<std::string>();
    fail("has the unsupported type " + shown(*type) + " of " + name,
         "indices and pointers must be integers");
  }

  void read_types(binsparse_header& made) const {
    const json& types = required("data_types");
    if (!types.is_object())
      fail("has no types in \"data_types\"", "\"data_types\" must be an object");
    made.pointers_to_1 = index_type(types, "pointers_to_1", made.has_pointers(), made.entries);
    made.indices_0 = index_type(types, "indices_0", made.has_indices_0(), made.entries);
    made.indices_1 = index_type(types, "indices_1", true, made.entries);
    const json* type = find(types, "values");
    if (type == nullptr) fail("lacks a type of values", "add it to \"data_types\"");
    std::string name = type->is_string() ? type->get<std::string>() : std::string();
    if (const auto rest = inside(name, "iso")) {
      made.is_iso = true;
      name = *rest;
    }
    if (const auto rest = inside(name, "complex")) {
      made.is_complex = true;
      name = *rest;
    }
    const bool is_real = name == "float32" || name == "float64";
    if (made.is_complex ? !is_real : !is_real && name != "bint8" && !is_integer(name)) {
      fail("has the unsupported type " + shown(*type) + " of values",
           "supported types are integers, float32, float64, bint8, and iso[...] and complex[...] "
           "of them");
    }
    if (made.symmetry == binsparse_symmetry::hermitian && !made.is_complex) {
      fail("has a hermitian structure, but values of type " + shown(*type),
           "use a symmetric structure for real numbers");
    }
    made.values = name;
  }

  const std::string& what_;
  json all_;
  json matrix_;
};

}  // namespace

binsparse_header binsparse_header_of(const std::string& text, const std::string& what) {
  return description(text, what).read();
}

std::string text_of(const binsparse_header& header) {
  const auto name_of_format = std::ranges::find(format_names, header.format, &format_name::format);
  json types = json::object();
  const auto say = [&](const char* name, const std::string& type) {
    if (!type.empty()) types[name] = type;
  };
  say("pointers_to_1", header.pointers_to_1);
  say("indices_0", header.indices_0);
  say("indices_1", header.indices_1);
  const std::string value = header.is_complex ? "complex[" + header.values + "]" : header.values;
  say("values", header.is_iso ? "iso[" + value + "]" : value);
  json matrix = {{"version", "0.1"},
                 {"format", std::string(name_of_format->name)},
                 {"shape", {header.rows, header.columns}},
                 {"number_of_stored_values", header.entries},
                 {"data_types", types}};
  if (header.half != binsparse_half::all) {
    const auto found = std::ranges::find_if(structure_names, [&](const structure_name& each) {
      return each.symmetry == header.symmetry && each.half == header.half;
    });
    matrix["structure"] = std::string(found->name);
  }
  json all = {{"binsparse", matrix}};
  if (!header.row_blocks.empty()) {
    all["acre"] = {{"row_blocks", header.row_blocks},
                   {"column_blocks", header.column_blocks},
                   {"symmetry", header.symmetry_of_blocks}};
  }
  constexpr int indent = 2;
  return all.dump(indent);
}

}  // namespace acre::matrix_files
