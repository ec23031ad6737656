// SPDX-License-Identifier: BSD-3-Clause
// Memory faults that the arguments of a routine have caused.
//
// The fast library compares nothing before it loads and stores, but mistakes lead it to where no
// memory is: a PE that there is not, or a call where there is no job, to an entry that the table
// of windows does not have (runtime/rank_table.hpp); an address that is not symmetric to
// a hole in a neighbour's window. So the address of a fault tells what was wrong.
#pragma once

namespace acre::shmem {

/// From now on such faults end the job with a line that says so; all others are what they were.
/// Does nothing where the program, or a sanitizer, has its own way with faults.
bool explain_memory_faults() noexcept;

}  // namespace acre::shmem
