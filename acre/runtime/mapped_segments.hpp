// SPDX-License-Identifier: BSD-3-Clause
// Tests whether an address may be in a segment of this node.
#pragma once

namespace acre::runtime {

/// False only if `address` is in no segment of this node.
[[nodiscard]] bool may_be_in_a_segment(const void* address) noexcept;

}  // namespace acre::runtime
