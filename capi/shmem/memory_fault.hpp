// SPDX-License-Identifier: BSD-3-Clause
// Explains memory faults caused by invalid arguments. In the fast library, invalid PEs and calls
// outside the job access missing entries of the window table (runtime/rank_table.hpp), and
// non-symmetric addresses reach holes in a window.
#pragma once

namespace acre::shmem {

/// Installs the handler: these faults end the job with an explanation; others keep their effect.
/// No-op if the program or a sanitizer handles faults.
bool explain_memory_faults() noexcept;

}  // namespace acre::shmem
