// Words of files and settings in errors.
#pragma once

#include <string>
#include <string_view>

namespace acre {

/// `text` in quotes: without its end where it is long, and with a question mark for each byte that
/// a terminal might obey.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace acre
