// SPDX-License-Identifier: BSD-3-Clause
// Xor at random table positions, each made twice. Updates go to the owner, at most 1,024 in flight
// per rank, one per stream.
#include <acre/array/array.hpp>
#include <acre/container/distributor.hpp>

#include <apps/gups/stream.hpp>
#include <apps/prk/kernels.hpp>
#include <apps/prk/outcome.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::prk {
namespace {

constexpr std::uint64_t first_number = 834568137686317453;
constexpr std::size_t streams = 1024;  ///< per rank; also the in-flight limit

}  // namespace

void random(const random_request& wanted) {
  const std::uint64_t places = std::uint64_t{1} << wanted.log2_size;
  require_for_each_rank("places", places);
  array<std::uint64_t> table(world(), places);
  const std::span<std::uint64_t> own = table.local();
  const std::uint64_t first = table.pattern().index_of({.member = rank(), .offset = 0});
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = first + i;
  distributor<std::uint64_t> out(world());
  const auto update = [&](std::uint64_t number) { own[(number & (places - 1)) - first] ^= number; };
  const std::uint64_t mine = places * wanted.ratio / size();
  const std::uint64_t steps = std::max<std::uint64_t>(1, mine / (2 * streams));

  const double seconds = seconds_of_one(1, [&] {
    for (int round = 0; round < 2; ++round) {
      std::vector<std::uint64_t> numbers(streams);
      for (std::size_t j = 0; j < streams; ++j) {
        numbers[j] = gups::number_at(first_number + steps * 2 * j + first);
      }
      for (std::uint64_t i = 0; i < steps; ++i) {
        for (std::uint64_t& each : numbers) {
          each = gups::next(each);
          out.push(table.owner(each & (places - 1)), each);
        }
        out.flush();
        out.receive(update);
      }
      out.finish(update);
    }
  });

  std::uint64_t right = 0;
  for (std::size_t i = 0; i < own.size(); ++i) right += own[i] == first + i ? 1 : 0;
  require_sum("the number of right places", static_cast<double>(world().allreduce(right)),
              static_cast<double>(places));
  print_rate("GUPS/s", 2e-9 * static_cast<double>(steps * streams * size()), seconds);
}

}  // namespace acre::prk
