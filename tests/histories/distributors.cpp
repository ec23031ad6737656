// SPDX-License-Identifier: BSD-3-Clause
// Checks that each item arrives once, in its round, in any order.
#include "numbered.hpp"
#include "trial.hpp"
#include <acre/container/distributor.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace histories {
namespace {

constexpr std::uint64_t stamp(std::uint64_t turn, std::uint64_t from, std::uint64_t to,
                              std::uint64_t number) {
  return ((turn * 64 + from) * 64 + to) * 65'536 + number;
}

template <class T>
bool run_distributor(trial& round) {
  acre::distributor<T> out(acre::world(), 1 << (12 + round.together(10)));
  bool fine = true;
  const std::uint64_t turns = 1 + round.together(3);
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    std::vector<std::uint64_t> sent(acre::size());
    std::set<std::uint64_t> arrived;
    const auto take = [&](const T& item) {
      round.records().record({.what = action::pop}, [](event&) {});
      if (!arrived.insert(numbered<T>::number(item)).second) fine = false;
    };
    const std::uint64_t number = round.alone(3) == 0 ? 0 : round.alone(2000);
    const bool to_one = round.alone(4) == 0;
    for (std::uint64_t i = 0; i < number; ++i) {
      if (round.alone(20) == 0) round.dawdle();
      const auto to = static_cast<acre::rank_t>(to_one ? 0 : round.alone(acre::size()));
      out.push(to, numbered<T>::make(stamp(turn, acre::rank(), to, sent[to]++)));
      round.records().record({.what = action::push}, [](event&) {});
      if (round.alone(50) == 0) out.receive(take);
      if (round.alone(200) == 0) out.flush();
    }
    out.finish(take);
    const auto expected = acre::world().alltoall(std::span<const std::uint64_t>(sent));
    std::uint64_t all = 0;
    for (acre::rank_t from = 0; from < acre::size(); ++from) {
      for (std::uint64_t i = 0; i < expected[from]; ++i) {
        if (!arrived.contains(stamp(turn, from, acre::rank(), i))) fine = false;
      }
      all += expected[from];
    }
    if (all != arrived.size()) fine = false;
  }
  return acre::world().allreduce(fine ? 1 : 0, acre::op::min) == 1;
}

}  // namespace

std::vector<subject> distributor_subjects() {
  return {{"distributor of words", run_distributor<std::uint64_t>},
          {"distributor of texts", run_distributor<std::string>}};
}

}  // namespace histories
