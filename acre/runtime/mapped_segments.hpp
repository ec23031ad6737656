// SPDX-License-Identifier: BSD-3-Clause
// Whether memory of this process is that of a rank.
#pragma once

namespace acre::runtime {

/// False only if `address` is in no segment of this node.
[[nodiscard]] bool may_be_in_a_segment(const void* address) noexcept;

}  // namespace acre::runtime
