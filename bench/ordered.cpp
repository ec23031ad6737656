// SPDX-License-Identifier: BSD-3-Clause
// Rates of sorted maps and priority queues of all ranks together, and of the standard library's
// containers on each rank, in millions per second.
//
//     bench-ordered [keys]      keys: per rank
#include <acre/ordered.hpp>

#include <acre/acre.hpp>

#include <bench/phases.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <vector>

namespace {

using namespace acre::guarantees;
using namespace acre::bench;
using number = std::uint64_t;

constexpr int rounds = 3;
constexpr number scanned = 100;

class range_keys {
 public:
  explicit range_keys(acre::rank_t owner) noexcept
      : first_(~number{0} / acre::size() * owner), width_(~number{0} / acre::size()) {}
  number operator()(number i) const noexcept { return first_ + acre::mix_bits(i + 1) % width_; }
  [[nodiscard]] number first() const noexcept { return first_; }

 private:
  number first_;
  number width_;
};

void measure_std_map(number keys, rates& all) {
  const range_keys mine(acre::rank());
  std::map<number, number> map;
  measure_each(all, "std::map insert", keys, [&](auto i) { map.emplace(mine(i), i); });
  measure_each(all, "std::map find", keys, [&](auto i) { keep(map.find(mine(i))->second); });
  measure_each(all, "std::map scan of 100", keys / scanned, [&](auto i) {
    number sum = 0;
    number left = scanned;
    for (auto at = map.lower_bound(mine(i)); at != map.end() && left != 0; ++at, --left) {
      sum += at->second;
    }
    keep(sum);
  });
}

void measure_sorted_map(number keys, rates& all) {
  const range_keys mine(acre::rank());
  const range_keys others((acre::rank() + 1) % acre::size());
  std::vector<number> bounds{mine.first()};
  acre::sorted_map<number, number> map(acre::world(), bounds);
  const number width = ~number{0} / acre::size() / keys * scanned;
  const auto scan = [&](number first, auto guarantee) {
    number sum = 0;
    const number last = first > ~number{0} - width ? ~number{0} : first + width;
    map.for_each_in(first, last, [&](number, number value) { sum += value; }, guarantee);
    keep(sum);
  };
  measure_each(all, "insert", keys, [&](auto i) { map.insert(mine(i), i); });
  measure_each(all, "find", keys, [&](auto i) { keep(*map.find(mine(i))); });
  measure_each(all, "find, local", keys, [&](auto i) { keep(*map.find(mine(i), local)); });
  measure_each(all, "scan of 100", keys / scanned,
               [&](auto i) { scan(mine(i), acre::no_guarantee{}); });
  measure_each(all, "scan of 100, only<find>", keys / scanned,
               [&](auto i) { scan(mine(i), only<find>); });
  measure_each(all, "find elsewhere", keys, [&](auto i) { keep(*map.find(others(i))); });
  measure_each(all, "scan of 100 elsewhere", keys / scanned,
               [&](auto i) { scan(others(i), acre::no_guarantee{}); });
  measure(all, "rebalance", keys, [&] { map.rebalance(); });
  measure_each(all, "erase", keys, [&](auto i) { map.erase(others(i)); });
}

void measure_queues(number values, rates& all) {
  std::priority_queue<number, std::vector<number>, std::greater<>> plain;
  measure_each(all, "std::priority_queue push", values,
               [&](auto i) { plain.push(acre::mix_bits(i)); });
  measure_each(all, "std::priority_queue pop", values, [&](auto) {
    keep(plain.top());
    plain.pop();
  });
  acre::priority_queue<number> queue(acre::world());
  measure_each(all, "priority_queue push", values, [&](auto i) { queue.push(acre::mix_bits(i)); });
  measure_each(all, "priority_queue pop", values, [&](auto) { keep(queue.pop().value_or(0)); });
  const auto to = static_cast<acre::rank_t>((acre::rank() + 1) % acre::size());
  measure_each(all, "priority_queue push elsewhere", values,
               [&](auto i) { queue.push(to, acre::mix_bits(i)); });
  measure(all, "priority_queue work", values,
          [&] { queue.work([](number value, auto&) { keep(value); }); });
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const number keys = calls_wanted(argc, argv, 1'000'000, 2'000);
  rates all;
  for (int round = 0; round < rounds; ++round) {
    measure_std_map(keys, all);
    measure_sorted_map(keys, all);
    measure_queues(keys, all);
  }
  print(all, keys);
  return 0;
}
