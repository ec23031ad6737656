// Rates of a hash map's operations, all ranks together, in millions a second, as
// JSON on standard output: 8-byte keys and values, every rank its own random keys.
#include <acre/acre.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

using map = acre::hash_map<std::uint64_t, std::uint64_t>;

struct rate {
  std::string name;
  double millions;
};

/// The slowest rank's time counts.
class stopwatch {
 public:
  template <class Work>
  void measure(const std::string& name, std::uint64_t calls, Work&& work) {
    acre::barrier();
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    const double slowest = acre::world().allreduce(spent.count(), acre::op::max);
    rates_.push_back({name, static_cast<double>(calls * acre::size()) / slowest / 1e6});
  }

  void print(std::uint64_t calls) const {
    if (acre::rank() != 0) return;
    std::printf("{\"ranks\": %u, \"conduit\": \"%s\", \"calls\": %llu", acre::size(),
                std::string(acre::conduit_name()).c_str(), static_cast<unsigned long long>(calls));
    for (const rate& each : rates_) std::printf(", \"%s\": %.3f", each.name.c_str(), each.millions);
    std::printf("}\n");
  }

 private:
  std::vector<rate> rates_;
};

std::uint64_t key_of(std::uint64_t number) {
  return acre::mix_bits(number * acre::size() + acre::rank() + 1);
}

void measure(std::uint64_t calls) {
  stopwatch watch;
  std::uint64_t sum = 0;
  const auto every = [calls](auto&& operation) {
    return [calls, operation] {
      for (std::uint64_t i = 0; i < calls; ++i) operation(i);
    };
  };
  map entries(acre::world(), 2 * calls * acre::size());
  // What is found next was written by somebody else.
  const auto other = [](std::uint64_t i) {
    return acre::mix_bits(i * acre::size() + (acre::rank() + 1) % acre::size() + 1);
  };
  watch.measure("insert", calls, every([&](std::uint64_t i) { entries.insert(key_of(i), i); }));
  watch.measure("find", calls, every([&](std::uint64_t i) { sum += *entries.find(other(i)); }));
  using namespace acre::promises;
  watch.measure("find, only<find>", calls,
                every([&](std::uint64_t i) { sum += *entries.find(other(i), only<find>); }));
  constexpr std::uint64_t batch = 1024;
  std::vector<std::uint64_t> keys(batch);
  std::vector<std::optional<std::uint64_t>> found(batch);
  const auto find_all = [&](auto promise) {
    for (std::uint64_t i = 0; i < calls; i += batch) {
      for (std::uint64_t j = 0; j < batch; ++j) keys[j] = other(std::min(i + j, calls - 1));
      entries.find_many(keys, std::span(found), promise);
      sum += *found[i % batch];
    }
  };
  watch.measure("find_many", calls, [&] { find_all(acre::no_promise{}); });
  watch.measure("find_many, only<find>", calls, [&] { find_all(only<find>); });
  watch.measure("find absent", calls,
                every([&](std::uint64_t i) { sum += entries.contains(~other(i)) ? 1 : 0; }));
  watch.measure("insert_or_assign", calls,
                every([&](std::uint64_t i) { entries.insert_or_assign(other(i), i); }));
  watch.measure("fetch_add", calls,
                every([&](std::uint64_t i) { sum += entries.fetch_add(other(i), 1); }));
  watch.measure("update", calls, every([&](std::uint64_t i) {
                  entries.update(other(i), [](std::uint64_t& value) noexcept { ++value; }, 0);
                }));
  watch.measure("erase", calls, every([&](std::uint64_t i) { entries.erase(key_of(i)); }));
  entries.clear();
  std::vector<std::uint64_t> values(batch);
  watch.measure("insert_many", calls, [&] {
    for (std::uint64_t i = 0; i < calls; i += batch) {
      for (std::uint64_t j = 0; j < batch; ++j) keys[j] = key_of(std::min(i + j, calls - 1));
      entries.insert_many(keys, values);
    }
  });
  entries.clear();
  watch.measure("insert, only<insert>", calls,
                every([&](std::uint64_t i) { entries.insert(key_of(i), i, only<insert>); }));
  entries.clear();
  watch.measure("buffered insert", calls, [&] {
    acre::buffered writer(entries, acre::inserting);
    for (std::uint64_t i = 0; i < calls; ++i) writer.insert(key_of(i), i);
  });
  watch.print(calls);
  if (sum == 1) std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  measure(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000);
  return 0;
}
