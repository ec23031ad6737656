// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/copy_async.hpp>

#include <acre/base/error.hpp>

namespace acre::algorithm {

void throw_shared(const site& where) {
  throw error("copy_async",
              "the ranges share elements at different positions" + describe_place(where),
              "use acre::copy(from, to), which reads all elements before it writes");
}

}  // namespace acre::algorithm
