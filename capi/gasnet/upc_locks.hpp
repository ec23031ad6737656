// SPDX-License-Identifier: BSD-3-Clause
// Ticket locks in shared heaps: the word of the next ticket, then that of the turn.
#pragma once

#include "acre_upc.h"

namespace acre::upc::detail {

void acquire_lock(position lock);
[[nodiscard]] bool attempt_lock(position lock);
void release_lock(position lock);

}  // namespace acre::upc::detail
