// SPDX-License-Identifier: BSD-3-Clause
// A hash map's part in process memory, with values, hashes and threads for tests.
#pragma once

#include <acre/container/hash/detail/hash_part.hpp>
#include <acre/container/hash/wide_value_test.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace acre::testing {

using container::bucket;
using container::hash_part;
using container::outcome;

struct two_words {
  std::uint64_t high, low;
  friend bool operator==(const two_words&, const two_words&) = default;
};

/// One home: the worst case for reaches.
struct same_hash {
  using is_avalanching = void;
  std::uint64_t operator()(const auto&) const noexcept { return std::uint64_t{1} << 63; }
};
struct poor_hash {
  using is_avalanching = void;
  std::uint64_t operator()(std::uint64_t key) const noexcept { return key << 60; }
};

template <class Part, class Key>
auto find_in(Part& all, const Key& key, std::uint64_t hash) {
  std::optional<typename Part::mapped_type> value;
  all.find_into(value, key, hash);
  return value;
}

template <class K, class V, class Hash = acre::hash<K>, class Equal = acre::equal_by_operator>
class table {
 public:
  using part = container::hash_part<K, V, Hash, Equal>;

  explicit table(std::size_t capacity)
      : memory_(capacity * sizeof(container::bucket<K, V>) / 8 + 8, 0), capacity_(capacity) {}

  [[nodiscard]] part view() {
    return part({reinterpret_cast<container::bucket<K, V>*>(memory_.data()), capacity_}, 1);
  }
  container::outcome insert(const K& key, const V& value) {
    part all = view();
    return all.insert(key, all.hash_of(key), value);
  }
  container::outcome add(const K& key, const V& amount) {
    part all = view();
    return all.upsert(
        key, all.hash_of(key), [&](V& value) noexcept { value += amount; }, [&] { return amount; });
  }
  container::outcome assign(const K& key, const V& value) {
    part all = view();
    return all.upsert(
        key, all.hash_of(key), [&](V& old) noexcept { old = value; }, [&] { return value; });
  }
  [[nodiscard]] std::optional<V> find(const K& key) {
    part all = view();
    return find_in(all, key, all.hash_of(key));
  }
  bool erase(const K& key) {
    part all = view();
    return all.erase(key, all.hash_of(key));
  }

 private:
  std::vector<std::uint64_t> memory_;
  std::size_t capacity_;
};

template <class Work>
void on_threads(unsigned threads, Work&& work) {
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i) running.emplace_back([&work, i] { work(i); });
  for (auto& each : running) each.join();
}

}  // namespace acre::testing
