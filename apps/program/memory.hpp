// Whether what a program is asked for has room at all: better an answer at the start than a job
// that the system kills.
#pragma once

#include <string>
#include <string_view>

namespace acre::program {

/// @param bytes    what all ranks together take at the least
/// @param smaller  what to do where there are not as many: "take fewer atoms"
/// @throws acre::error where this node's ranks take more of it than the node has. Ranks of a job
/// are
///         alike: all of them come to the same where nodes are
void require_memory(std::string_view program, double bytes, std::string_view smaller);

/// "3.4 GB", to three digits.
[[nodiscard]] std::string bytes_in_words(double bytes);

}  // namespace acre::program
