// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/shared_counter.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/same_call.hpp>

#include <string>

namespace acre {

void arrays::throw_bad_chunk(const site& where) {
  throw error("shared_counter::chunks",
              "chunks of 0 indices, or more than 2^48 of them, as a negative number is" +
                  describe_place(where),
              "chunks(n, 1) deals single indices");
}

void shared_counter::reset(const site& where) {
  global::require_same_object(members(), "shared_counter::reset", next_.identity(), where);
  members().barrier(where);
  if (next_.host().is_this_rank()) next_.set(0);
  members().barrier(where);
}

}  // namespace acre
