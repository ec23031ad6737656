// SPDX-License-Identifier: BSD-3-Clause
// acre-isx: ISx integer sort, timed and verified.
#include <acre/acre.hpp>

#include <apps/isx/integer_sort.hpp>
#include <apps/isx/queue_sort.hpp>
#include <apps/isx/row_sort.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace acre::isx;

struct request {
  std::uint64_t keys = std::uint64_t{1} << 24;
  bool strong = false;
  unsigned bits = 0;
  unsigned iterations = 5;
  std::string way = "puts";
};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  program.add("--keys", wanted.keys, "sort N keys per rank, or in total with --strong")
      .shown_default()
      .within(std::uint64_t{1}, std::uint64_t{1} << 40);
  program.add("--strong", wanted.strong, "divide the keys among the ranks");
  program
      .add("--bits", wanted.bits,
           "draw keys below 2^BITS (default: the bits of twice --keys, as in ISx)")
      .within(1U, 31U);
  program.add("--iterations", wanted.iterations, "time N iterations, after one warm-up")
      .shown_default()
      .within(1U, 1000U);
  program
      .add("--way", wanted.way,
           "puts: put keys at places reserved by fetch-add; queues: push keys to a queue of their "
           "rank")
      .shown_default()
      .one_of({"puts", "queues"});
  program.footer("Run it with: acre run -n 4 acre-isx");
  return program;
}

std::vector<key> make_keys(std::uint64_t all, unsigned bits) {
  const std::uint64_t each = acre::divide_up(all, std::uint64_t{acre::size()});
  const std::uint64_t begin = std::min(all, each * acre::rank());
  std::vector<key> keys(std::min(each, all - begin));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = make_key(begin + i, bits);
  return keys;
}

phases slowest(const phases& mine) {
  std::array times{mine.bucketize, mine.exchange, mine.sort};
  acre::world().allreduce(std::span<double>(times), acre::op::max);
  return {.bucketize = times[0], .exchange = times[1], .sort = times[2]};
}

/// Checks number, placement and order of keys.
/// @throws acre::error on all ranks on failure
template <class Sort>
void verify(const Sort& sorting, const std::vector<key>& keys, std::uint64_t all) {
  const auto sorted = sorting.sorted();
  const auto sum = [](std::span<const key> numbers) {
    std::uint64_t total = 0;
    for (const key each : numbers) total += each;
    return total;
  };
  std::array sums{std::uint64_t{sorted.size()}, sum(sorted), sum(keys)};
  acre::world().allreduce(std::span<std::uint64_t>(sums), acre::op::sum);
  const bool in_order = std::ranges::is_sorted(sorted);
  const bool in_range =
      sorted.empty() || (sorted.front() >= sorting.lowest() && sorted.back() < sorting.beyond());
  const int right = acre::world().allreduce(in_order && in_range ? 1 : 0, acre::op::min);
  if (sums[0] != all || sums[1] != sums[2] || right == 0) {
    throw acre::error(
        "acre-isx",
        fmt::format("the result is wrong: {} keys of {}, the sum is {}, of {}; {}", sums[0], all,
                    sums[1], sums[2], right != 0 ? "in order" : "not in order"));
  }
}

template <class Sort>
void run(const request& wanted) {
  const std::uint64_t all = wanted.strong ? wanted.keys : wanted.keys * acre::size();
  const unsigned bits =
      wanted.bits != 0 ? wanted.bits
                       : std::min(31U, static_cast<unsigned>(std::bit_width(2 * wanted.keys - 1)));
  const std::vector<key> keys = make_keys(all, bits);
  Sort sorting(all, bits);
  static_cast<void>(sorting.sort(keys));
  std::vector<phases> times(wanted.iterations);
  acre::operation_counts spent;
  for (phases& each : times) {
    const acre::operation_counts before = acre::counters();
    const phases mine = sorting.sort(keys);
    spent = acre::counters() - before;
    each = slowest(mine);
  }
  verify(sorting, keys, all);
  std::array sums{spent.writes, spent.atomics, spent.messages,
                  spent.read_bytes + spent.write_bytes + spent.message_bytes};
  acre::world().allreduce(std::span<std::uint64_t>(sums), acre::op::sum);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle, {}, &phases::total);
  if (acre::rank() == 0) {
    fmt::print(
        "{{\"ranks\": {}, \"keys\": {}, \"bits\": {}, \"way\": \"{}\", \"conduit\": \"{}\", "
        "\"verified\": true, "
        "\"bucketize_ms\": {:.2f}, \"exchange_ms\": {:.2f}, \"sort_ms\": {:.2f}, "
        "\"total_ms\": {:.2f}, \"writes\": {}, \"atomics\": {}, \"messages\": {}, \"bytes\": "
        "{}}}\n",
        acre::size(), all, bits, wanted.way, acre::conduit_name(), 1e3 * middle->bucketize,
        1e3 * middle->exchange, 1e3 * middle->sort, 1e3 * middle->total(), sums[0], sums[1],
        sums[2], sums[3]);
  }
  acre::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{"Sorts uniform random integers (ISx) and reports the time.",
                                      "acre-isx"};
  return acre::program::run(
      define(program, wanted), argc, argv,
      [&] {
        if (wanted.way == "queues") {
          run<queue_sort>(wanted);
        } else if (acre::node().size() == acre::size()) {
          run<integer_sort>(wanted);
        } else {
          run<row_sort>(wanted);
        }
      },
      "choose smaller --keys");
}
