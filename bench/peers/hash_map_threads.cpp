// SPDX-License-Identifier: BSD-3-Clause
// bench/hash_map.cpp with threads: std::unordered_map with a lock, and TBB's concurrent_hash_map.
//
//     hash_map_threads std|tbb [calls [threads]]
#include <acre/base/bits.hpp>

#include <bench/rates.hpp>
#include <oneapi/tbb/concurrent_hash_map.h>

#include <barrier>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

using acre::bench::keep;
using acre::bench::rates;
using acre::bench::stopwatch;
using word = std::uint64_t;

constexpr int rounds = 3;

struct workload {
  word calls;
  unsigned threads;

  [[nodiscard]] word key_of(word number, unsigned thread) const {
    return acre::mix_bits(number * threads + thread + 1);
  }
};

class locked_map {
 public:
  static constexpr bool reads_without_lock = true;
  explicit locked_map(word capacity) { entries_.reserve(capacity); }

  void insert(word key, word value) {
    const std::scoped_lock lock(mutex_);
    entries_.emplace(key, value);
  }
  word find(word key) {
    const std::scoped_lock lock(mutex_);
    return find_only(key);
  }
  word find_only(word key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? 0 : found->second;
  }
  word fetch_add(word key, word amount) {
    const std::scoped_lock lock(mutex_);
    word& value = entries_[key];
    const word before = value;
    value += amount;
    return before;
  }
  void erase(word key) {
    const std::scoped_lock lock(mutex_);
    entries_.erase(key);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<word, word> entries_;
};

class tbb_map {
  using map = tbb::concurrent_hash_map<word, word>;

 public:
  static constexpr bool reads_without_lock = false;
  explicit tbb_map(word capacity) : entries_(capacity) {}

  void insert(word key, word value) { entries_.insert({key, value}); }
  word find(word key) const {
    map::const_accessor found;
    return entries_.find(found, key) ? found->second : 0;
  }
  word fetch_add(word key, word amount) {
    map::accessor found;
    entries_.insert(found, {key, 0});
    const word before = found->second;
    found->second += amount;
    return before;
  }
  void erase(word key) { entries_.erase(key); }

 private:
  map entries_;
};

template <class Map>
void measure(const workload& work, rates& all) {
  Map entries(2 * work.calls * work.threads);
  std::barrier together(work.threads);
  const auto run_thread = [&](unsigned self) {
    const auto mine = [&](word i) { return work.key_of(i, self); };
    const auto others = [&](word i) { return work.key_of(i, (self + 1) % work.threads); };
    const auto each = [&](std::string_view name, auto&& operation) {
      together.arrive_and_wait();
      const stopwatch watch;
      for (word i = 0; i < work.calls; ++i) operation(i);
      together.arrive_and_wait();
      if (self == 0) all.add(name, work.calls * work.threads, watch.seconds());
    };
    each("insert", [&](word i) { entries.insert(mine(i), i); });
    each("find", [&](word i) { keep(entries.find(others(i))); });
    if constexpr (Map::reads_without_lock) {
      each("find, only<find>", [&](word i) { keep(entries.find_only(others(i))); });
    }
    each("find absent", [&](word i) { keep(entries.find(~others(i))); });
    each("fetch_add", [&](word i) { keep(entries.fetch_add(others(i), 1)); });
    each("erase", [&](word i) { entries.erase(mine(i)); });
  };
  std::vector<std::jthread> others;
  for (unsigned thread = 1; thread < work.threads; ++thread)
    others.emplace_back(run_thread, thread);
  run_thread(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view which = argc > 1 ? argv[1] : "";
  if (which != "std" && which != "tbb") return 2;
  const workload work{.calls = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000,
                      .threads = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 2};
  rates all;
  for (int round = 0; round < rounds; ++round) {
    which == "std" ? measure<locked_map>(work, all) : measure<tbb_map>(work, all);
  }
  all.print("\"map\": \"" + std::string(which) + "\", \"threads\": " +
            std::to_string(work.threads) + ", \"calls\": " + std::to_string(work.calls));
}
