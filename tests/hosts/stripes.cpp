// SPDX-License-Identifier: BSD-3-Clause
// Large puts and gets between the first and the last rank in all forms, with small ones between.
//
//     hosts-stripes    rank 0 prints "all there"
#include <acre/acre.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

namespace {

constexpr std::size_t count = (std::size_t{1} << 20) + 12'345;
using words = std::vector<std::uint64_t>;

std::size_t differences(const words& one, const words& other) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += one[i] != other[i] ? 1 : 0;
  return sum;
}

std::size_t exchange(acre::global_ptr<std::uint64_t> there) {
  words source(count);
  words back(count, 0);
  std::size_t wrong = 0;
  for (std::uint64_t round = 1; round <= 4; ++round) {
    std::iota(source.begin(), source.end(), round << 40);
    std::ranges::fill(back, 0);
    const std::span<const std::uint64_t> all(source);
    if (round % 2 == 0) {
      acre::put_nbi(there, all);
      for (std::uint64_t i = 0; i < 50; ++i) {
        acre::put_nbi(there + static_cast<std::ptrdiff_t>(count + i), i + round);
      }
      acre::quiet_puts();
      acre::get_nbi(there, std::span(back));
      acre::quiet();
    } else {
      acre::put_async(there, all).get();
      acre::get_async(there, std::span(back)).get();
    }
    wrong += differences(source, back);
    if (round % 2 == 0) wrong += acre::get(there + count) == round ? 0U : 1U;
  }
  return wrong;
}

}  // namespace

int main() {
  const acre::job job;
  const auto blocks = acre::world().allgather(acre::allocate<std::uint64_t>(count + 64));
  std::size_t wrong = 0;
  if (acre::rank() == 0) wrong = exchange(blocks.back());
  acre::barrier();
  if (acre::rank() == 0) std::puts(wrong == 0 ? "all there" : "something is wrong");
  return wrong == 0 ? 0 : 1;
}
