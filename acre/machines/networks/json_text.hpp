// SPDX-License-Identifier: BSD-3-Clause
// JSON whose values know their lines, so that what is wrong with a description
// can be said where it stands.
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
  std::size_t line = 0;                 ///< where it begins, or where its line of the list does
  double number = 0;                    ///< of a boolean 0 or 1
  std::string text = {};                ///< of a text
  std::vector<std::string> keys = {};   ///< of an object, in the order of the values
  std::vector<json_value> values = {};  ///< of a list or an object

  /// The value of a key of an object; null when there is none.
  [[nodiscard]] const json_value* find(std::string_view key) const;
};

/// @throws acre::error that names the line: what is no JSON, a key that comes twice, more than
/// eight values in one another, more than 2^22 values
[[nodiscard]] json_value parse_json(const source_text& file);

/// @throws acre::error that names the line unless `value` is an object with no keys but these
void expect_keys(const source_text& file, const json_value& value,
                 std::initializer_list<std::string_view> known);

/// The names that a value says: of a list of texts each, of a text a host list, "n[01-16]".
[[nodiscard]] std::vector<std::string> names_in(const source_text& file, const json_value& value);

/// A whole number from 1 to 2^20.
[[nodiscard]] std::uint32_t count_in(const source_text& file, const json_value& value);

}  // namespace acre::machines
