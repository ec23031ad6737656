// SPDX-License-Identifier: BSD-3-Clause
// Words of files and settings in errors.
#pragma once

#include <string>
#include <string_view>

namespace acre {

/// `text` in quotes, cut after 60 bytes. Bytes that are not printable ASCII become question marks,
/// since a terminal might obey them.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace acre
