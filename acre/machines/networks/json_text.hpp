// SPDX-License-Identifier: BSD-3-Clause
// Parses JSON into values with line numbers for errors.
#pragma once

#include <acre/machines/networks/source_text.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace acre::machines {

struct json_value {
  enum class kind { null, boolean, number, text, list, object };
  kind is = kind::null;
  std::size_t line = 0;
  double number = 0;  ///< of a boolean: 0 or 1
  std::string text = {};
  std::vector<std::string> keys = {};  ///< parallel to `values`
  std::vector<json_value> values = {};

  /// Value of `key` in an object; null if missing.
  [[nodiscard]] const json_value* find(std::string_view key) const;
};

/// @throws acre::error with the line: invalid, a duplicate key, more than 8 levels, 64 keys of an
/// object or 2^22 values
[[nodiscard]] json_value parse_json(const source_text& file);

/// @throws acre::error with the line unless `value` is an object with keys from `known` only
void expect_keys(const source_text& file, const json_value& value,
                 std::initializer_list<std::string_view> known);

/// Names in a list of texts or in a host list "n[01-16]".
[[nodiscard]] std::vector<std::string> names_in(const source_text& file, const json_value& value);

/// A whole number from 1 to 2^20.
[[nodiscard]] std::uint32_t count_in(const source_text& file, const json_value& value);

}  // namespace acre::machines
