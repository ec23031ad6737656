// SPDX-License-Identifier: BSD-3-Clause
// Parses the YAML subset of job managers into JSON values (json_text.hpp): indented or one-line
// lists and objects, texts, comments. An unquoted number keeps its text: "01" may be a name.
#pragma once

#include <acre/machines/networks/json_text.hpp>
#include <acre/machines/networks/source_text.hpp>

namespace acre::machines {

/// @throws acre::error with the line: invalid or unsupported (anchors, tags, multi-line texts,
/// documents), a duplicate key, more than 32 levels, 64 keys of an object or 2^22 values
[[nodiscard]] json_value parse_yaml(const source_text& file);

}  // namespace acre::machines
