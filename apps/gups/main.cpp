// SPDX-License-Identifier: BSD-3-Clause
// acre-gups: HPC Challenge RandomAccess, xor at random table positions, in 10^9 updates per second.
//
// Table of 2^n words, 4 updates each from the stream (stream.hpp), at most 1,024 in flight per
// rank. A second run restores the table; the rules permit 1 % errors, here zero.
#include <acre/array/array.hpp>
#include <acre/base/error.hpp>
#include <acre/container/distributor.hpp>
#include <acre/global/memory/atomic.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/launch/job.hpp>

#include <apps/gups/stream.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace {

using table = acre::array<std::uint64_t>;

constexpr std::uint64_t most_under_way = 1024;

struct request {
  unsigned log2_size = 20;
  std::uint64_t updates = 0;
  std::string way = "sent";
};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  program.add("--log2-size", wanted.log2_size, "use a table of 2^N words")
      .shown_default()
      .within(1U, 40U);
  program.add("--updates", wanted.updates, "make N updates in total (default: four for each word)")
      .within(std::uint64_t{1}, std::uint64_t{1} << 44);
  program
      .add("--way", wanted.way,
           "sent: send updates in batches to the owner of the word; atomic: update each word by an "
           "atomic "
           "operation")
      .shown_default()
      .one_of({"sent", "atomic"});
  program.footer("Run it with: acre run -n 4 acre-gups");
  return program;
}

struct share {
  std::uint64_t first;
  std::uint64_t count;

  explicit share(std::uint64_t all) {
    const std::uint64_t each = all / acre::size();
    const std::uint64_t longer = all % acre::size();
    first = each * acre::rank() + (acre::rank() < longer ? acre::rank() : longer);
    count = each + (acre::rank() < longer ? 1 : 0);
  }
};

/// Calls f(number), and every() at the in-flight limit.
template <class F, class Every>
void each_number(const share& mine, F&& f, Every&& every) {
  std::uint64_t number = acre::gups::number_at(mine.first);
  for (std::uint64_t i = 0; i < mine.count; ++i) {
    number = acre::gups::next(number);
    f(number);
    if ((i + 1) % most_under_way == 0) every();
  }
}

void update_by_sending(table& words, const share& mine, acre::distributor<std::uint64_t>& out) {
  const std::uint64_t mask = words.size() - 1;
  const std::span<std::uint64_t> own = words.local();
  const std::uint64_t first = own.empty() ? 0 : words.pattern().index_of({acre::rank(), 0});
  const auto update = [&](std::uint64_t number) { own[(number & mask) - first] ^= number; };
  each_number(
      mine, [&](std::uint64_t number) { out.push(words.owner(number & mask), number); },
      [&] {
        out.flush();
        out.receive(update);
      });
  out.finish(update);
}

void update_by_atomics(table& words, const share& mine) {
  const std::uint64_t mask = words.size() - 1;
  each_number(
      mine,
      [&](std::uint64_t number) {
        acre::atomic_xor_nbi(words.pointer(number & mask), number, std::memory_order_relaxed);
      },
      [] { acre::quiet(); });
  acre::quiet();
}

void run(const request& wanted) {
  const std::uint64_t size = std::uint64_t{1} << wanted.log2_size;
  const std::uint64_t updates = wanted.updates == 0 ? 4 * size : wanted.updates;
  table words(acre::world(), size);
  const std::span<std::uint64_t> own = words.local();
  const std::uint64_t first = own.empty() ? 0 : words.pattern().index_of({acre::rank(), 0});
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = first + i;
  acre::distributor<std::uint64_t> out(acre::world());
  const share mine(updates);
  const auto update_all = [&] {
    acre::barrier();
    const auto begin = std::chrono::steady_clock::now();
    wanted.way == "sent" ? update_by_sending(words, mine, out) : update_by_atomics(words, mine);
    acre::barrier();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    return acre::world().allreduce(spent.count(), acre::op::max);
  };
  const double seconds = update_all();
  static_cast<void>(update_all());
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < own.size(); ++i) wrong += own[i] != first + i ? 1 : 0;
  wrong = acre::world().allreduce(wrong);
  if (wrong != 0) {
    throw acre::error("acre-gups",
                      fmt::format("{} words of {} are wrong after all updates", wrong, size));
  }
  if (acre::rank() == 0) {
    fmt::print(
        "{{\"ranks\": {}, \"words\": {}, \"updates\": {}, \"way\": \"{}\", \"conduit\": \"{}\", "
        "\"verified\": true, \"seconds\": {:.6f}, \"gups\": {:.6f}}}\n",
        acre::size(), size, updates, wanted.way, acre::conduit_name(), seconds,
        static_cast<double>(updates) / seconds / 1e9);
  }
  acre::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "Updates random words of a table (RandomAccess of the HPC Challenge).", "acre-gups"};
  return acre::program::run(
      define(program, wanted), argc, argv, [&] { run(wanted); }, "choose a smaller --log2-size");
}
