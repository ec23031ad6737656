// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/detail/held_back_sends.hpp>

namespace acre::runtime {

thread_local constinit unsigned held_back_sends = 0;

}  // namespace acre::runtime
