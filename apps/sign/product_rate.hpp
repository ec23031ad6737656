// SPDX-License-Identifier: BSD-3-Clause
// What the machine can do: the rate that the program's own is compared with.
#pragma once

namespace acre::sign {

/// GFLOP/s of all ranks together, each of which multiplies dense matrices of 512 x 512 while the
/// others do. Collective. Takes some hundredths of a second.
[[nodiscard]] double dense_product_rate();

}  // namespace acre::sign
