// Which file is meant by a name that may be a symbolic link.
#pragma once

#include <filesystem>

namespace acre::detail {

/// The name of that file, which need not be there yet: links stay, and what they lead to is
/// written.
/// @return 0, or what is wrong, as errno has it
[[nodiscard]] int follow_links(std::filesystem::path& path);

}  // namespace acre::detail
