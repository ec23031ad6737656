// SPDX-License-Identifier: BSD-3-Clause
// Whether memory of this process is that of a rank.
#pragma once

namespace acre::runtime {

/// Whether an address may be in the segment of a rank of this node. Where it is not, it is in none.
[[nodiscard]] bool may_be_in_a_segment(const void* address) noexcept;

}  // namespace acre::runtime
