// SPDX-License-Identifier: BSD-3-Clause
// What tells machines, their boots and the name spaces of processes apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace acre {

/// A number for a text: the same wherever the text is the same.
[[nodiscard]] std::uint64_t fingerprint(std::string_view text) noexcept;

/// What the kernel has drawn at random when it started. Copies of a virtual machine that were made
/// while it ran have the same.
[[nodiscard]] std::string boot_id();

/// A name space of this process, of a kind that /proc/self/ns knows: "net:[4026531840]".
[[nodiscard]] std::string name_space(const char* kind);

/// What a symbolic link says; nothing where there is none.
[[nodiscard]] std::string link_target(const std::string& path);

}  // namespace acre
