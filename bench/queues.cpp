// Rates of queue operations, of all ranks together, in millions of values a second,
// as JSON on standard output.
//
//     bench-queues [values]      values: how many each rank moves in each phase
#include <acre/acre.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace acre::promises;
using clock_type = std::chrono::steady_clock;

constexpr int repeats = 5;
constexpr std::size_t span_values = 64;

std::vector<std::pair<std::string, double>> results;

/// Seconds from when the first rank begins, which takes the longest, until all have ended.
template <class Phase>
double seconds_of(Phase&& phase) {
  acre::barrier();
  const auto begin = clock_type::now();
  phase();
  acre::barrier();
  const std::chrono::duration<double> spent = clock_type::now() - begin;
  return acre::world().allreduce(spent.count(), acre::op::max);
}

class series {
 public:
  explicit series(std::string name) : name_(std::move(name)) {}
  void add(double rate) { rates_.push_back(rate); }
  /// The median.
  ~series() {
    std::ranges::sort(rates_);
    results.emplace_back(name_, rates_[rates_.size() / 2]);
  }
  series(const series&) = delete;
  series& operator=(const series&) = delete;

 private:
  std::string name_;
  std::vector<double> rates_;
};

std::uint64_t check_sum = 0;

/// Phases of pushing all and popping all.
template <class Queue, class PushPromise, class PopPromise>
void measure_phases(Queue& queue, const std::string& name, std::uint64_t values,
                    PushPromise pushing, PopPromise popping) {
  series pushes(name + "-push");
  series pops(name + "-pop");
  const double all = 1e-6 * static_cast<double>(values * acre::size());
  for (int i = 0; i < repeats; ++i) {
    pushes.add(all / seconds_of([&] {
                 for (std::uint64_t each = 0; each < values; ++each) queue.push(each, pushing);
               }));
    pops.add(all / seconds_of([&] {
               for (std::uint64_t each = 0; each < values; ++each) check_sum += *queue.pop(popping);
             }));
  }
}

template <class Queue, class PushPromise, class PopPromise>
void measure_spans(Queue& queue, const std::string& name, std::uint64_t values, PushPromise pushing,
                   PopPromise popping) {
  series pushes(name + "-push-spans-of-64");
  series pops(name + "-pop-spans-of-64");
  const std::uint64_t spans = values / span_values;
  const double all = 1e-6 * static_cast<double>(spans * span_values * acre::size());
  std::array<std::uint64_t, span_values> buffer{};
  for (int i = 0; i < repeats; ++i) {
    pushes.add(all / seconds_of([&] {
                 for (std::uint64_t each = 0; each < spans; ++each) queue.push(buffer, pushing);
               }));
    pops.add(all / seconds_of([&] {
               for (std::uint64_t each = 0; each < spans; ++each) {
                 queue.pop(buffer, popping);
                 check_sum += buffer[0];
               }
             }));
  }
}

using queue = acre::circular_queue<std::uint64_t>;

/// All ranks push and pop in turn; and half of them push what the others pop.
void measure_mixed(queue& all, std::uint64_t values) {
  series turns("circular-push-pop-in-turn");
  series pairs("circular-producers-consumers");
  const double moved = 1e-6 * static_cast<double>(values * acre::size());
  queue small(acre::world(), {0}, 1024);
  for (int i = 0; i < repeats; ++i) {
    turns.add(moved / seconds_of([&] {
                for (std::uint64_t each = 0; each < values; ++each) {
                  all.push(each);
                  check_sum += all.pop().value_or(0);
                }
              }));
    if (acre::size() % 2 != 0) continue;
    pairs.add(moved / 2 / seconds_of([&] {
                for (std::uint64_t each = 0; each < values; ++each) {
                  if (acre::rank() % 2 == 0) {
                    small.push_wait(each);
                  } else {
                    check_sum += small.pop_wait();
                  }
                }
              }));
  }
  if (acre::size() % 2 != 0) pairs.add(0);
}

/// Items to all ranks at random, through a distributor; pushed and received.
void measure_distributor(std::uint64_t values) {
  series items("distributor");
  series batches("distributor-spans-of-64");
  acre::distributor<std::uint64_t> all(acre::world());
  const auto take = [](std::span<const std::uint64_t> batch) {
    for (const std::uint64_t each : batch) check_sum += each;
  };
  const double moved = 1e-6 * static_cast<double>(values * acre::size());
  const std::array<std::uint64_t, span_values> span{};
  for (int i = 0; i < repeats; ++i) {
    items.add(moved / seconds_of([&] {
                std::uint64_t random = acre::rank() + 1;
                for (std::uint64_t each = 0; each < values; ++each) {
                  random = random * 6364136223846793005U + 1442695040888963407U;
                  all.push(static_cast<acre::rank_t>((random >> 33) % acre::size()), each);
                }
                all.finish(take);
              }));
    batches.add(moved / seconds_of([&] {
                  for (std::uint64_t each = 0; each < values / span_values; ++each) {
                    all.push(static_cast<acre::rank_t>(each % acre::size()), span);
                  }
                  all.finish(take);
                }));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const bool is_near = acre::runtime::node_count() == 1;
  const std::uint64_t values = argc > 1 ? std::stoull(argv[1]) : is_near ? 400'000 : 10'000;
  {
    queue one(acre::world(), {0}, values * acre::size());
    measure_phases(one, "circular", values, acre::no_promise{}, acre::no_promise{});
    measure_phases(one, "circular-promised", values, only<push>, only<pop>);
    measure_spans(one, "circular", values, acre::no_promise{}, acre::no_promise{});
    measure_mixed(one, values);
    if (acre::rank() == 0 && is_near) {
      series pushes("circular-local-push");
      series pops("circular-local-pop");
      for (int i = 0; i < repeats; ++i) {
        const auto begin = clock_type::now();
        for (std::uint64_t each = 0; each < values; ++each) one.push(each, local);
        const auto middle = clock_type::now();
        for (std::uint64_t each = 0; each < values; ++each) check_sum += *one.pop(local);
        const auto end = clock_type::now();
        const auto rate = [&](auto span) {
          return 1e-6 * static_cast<double>(values) / std::chrono::duration<double>(span).count();
        };
        pushes.add(rate(middle - begin));
        pops.add(rate(end - middle));
      }
    }
    acre::barrier();
  }
  {
    acre::fast_queue<std::uint64_t> fast(acre::world(), {0}, values * acre::size());
    measure_phases(fast, "fast", values, only<push>, only<pop>);
    measure_spans(fast, "fast", values, only<push>, only<pop>);
  }
  measure_distributor(is_near ? 10 * values : 20 * values);
  if (check_sum == 42) std::puts("");
  if (acre::rank() != 0) return 0;
  std::printf("{\"conduit\": \"%s\", \"ranks\": %u, \"nodes\": %u, \"unit\": \"M/s\"",
              acre::conduit_name().c_str(), acre::size(), acre::runtime::node_count());
  for (const auto& [name, rate] : results) std::printf(", \"%s\": %.3f", name.c_str(), rate);
  std::printf("}\n");
}
