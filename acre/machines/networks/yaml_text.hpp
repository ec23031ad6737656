// SPDX-License-Identifier: BSD-3-Clause
// The part of YAML that job managers write their files in, as the same values
// that JSON has (json_text.hpp).
//
// Lists and objects by indentation, the short forms [a, b] and {x: 1} in one
// line, texts with and without quotes, comments. A value without quotes that is
// a number keeps its text too: "01" is a name where a name is expected. Anchors,
// tags, texts of several lines and several documents are refused.
#pragma once

#include <acre/machines/networks/json_text.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error that names the line: what is no YAML, or of the rest of it, a key that comes
/// twice, more than 32 values in one another, more than 2^22 values
[[nodiscard]] json_value parse_yaml(const source_text& file);

}  // namespace acre::machines
