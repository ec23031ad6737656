// SPDX-License-Identifier: BSD-3-Clause
// Consecutive jobs in the same processes, with RPCs at begin and end. A surviving collection or pin
// ends with its job.
#include <acre/agas/collection.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/allocate.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>

#include <cstdio>
#include <optional>

namespace {

constexpr int jobs = 8;
constexpr int calls = 1000;
constexpr int hops = 10;

int run_here = 0;

void travel(int left) {
  ++run_here;
  if (left > 1) acre::rpc_ff((acre::rank() + 1) % acre::size(), travel, left - 1);
}

acre::task<> read_often(acre::global_ptr<int> from) {
  for (int i = 0; i < hops; ++i) co_await acre::get_async(from);
  ++run_here;
}

bool first_call_finds_a_job(acre::rank_t next) {
  const auto there = [] { return acre::world().size() + acre::node().size(); };
  return acre::rpc(next, there).get() > acre::size();
}

/// Expected runs on a rank: calls from each rank, and `hops` of each traveller.
int calls_for(acre::rank_t rank, acre::rank_t ranks) {
  const int size = static_cast<int>(ranks);
  const int of_each = calls / size + (static_cast<int>(rank) < calls % size ? 1 : 0);
  return size * (of_each + hops);
}

struct member {};
acre::object_collection<member> kept;
std::optional<acre::pinned<member>> kept_pin;

bool one_job() {
  run_here = 0;
  int expected = 0;
  bool is_complete = false;
  {
    const acre::job job;
    const acre::rank_t ranks = acre::size();
    const acre::rank_t next = (acre::rank() + 1) % ranks;
    is_complete = first_call_finds_a_job(next);
    expected = calls_for(acre::rank(), ranks) + 1;
    kept = acre::make_collection<member>(9);
    kept_pin.emplace(acre::create_here<member>().id());
    const auto word = acre::allocate_symmetric<int>(1);
    acre::rpc_ff(next, read_often, acre::at_rank(word, acre::rank()));
    for (int i = 0; i < calls; ++i) {
      acre::rpc_ff(static_cast<acre::rank_t>(i) % ranks, [] { ++run_here; });
    }
    acre::rpc_ff(next, travel, static_cast<int>(ranks) * hops);
  }
  if (run_here != expected) {
    std::fprintf(stderr, "%d of %d calls were run\n", run_here, expected);
  }
  return is_complete && run_here == expected;
}

}  // namespace

int main() {
  for (int number = 1; number <= jobs; ++number) {
    if (one_job()) continue;
    std::fprintf(stderr, "job %d has failed\n", number);
    return 1;
  }
  return 0;
}
