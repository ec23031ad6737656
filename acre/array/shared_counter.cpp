// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/shared_counter.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/same_call.hpp>

#include <string>

namespace acre {

void arrays::throw_bad_chunk(const site& where) {
  throw error("shared_counter::chunks",
              "`size` is 0, or `count` or `size` exceeds 2^48" + describe_place(where),
              "chunks(n, 1) returns single indices; check for negative numbers");
}

void shared_counter::reset(const site& where) {
  global::require_same_object(members(), "shared_counter::reset", next_.identity(), where);
  members().barrier(where);
  if (next_.host().is_this_rank()) next_.set(0);
  members().barrier(where);
}

}  // namespace acre
