// SPDX-License-Identifier: BSD-3-Clause
// Quotes words of files and settings for errors.
#pragma once

#include <string>
#include <string_view>

namespace acre {

/// Quotes `text`, cut after 60 bytes; all but printable ASCII, which terminals may interpret,
/// becomes '?'.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace acre
