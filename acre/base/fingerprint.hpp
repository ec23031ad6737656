// SPDX-License-Identifier: BSD-3-Clause
// Identities of a boot and of its name spaces.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace acre {

/// Hash of `text`, equal on all hosts.
[[nodiscard]] std::uint64_t fingerprint(std::string_view text) noexcept;

/// Random id of this boot. Copies of a running virtual machine share it.
[[nodiscard]] std::string boot_id();

/// Identity of this process's name space `kind` (/proc/self/ns): "net:[4026531840]".
[[nodiscard]] std::string name_space(const char* kind);

/// Target of a symbolic link; empty if `path` is no link.
[[nodiscard]] std::string link_target(const std::string& path);

}  // namespace acre
