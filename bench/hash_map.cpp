// SPDX-License-Identifier: BSD-3-Clause
// Hash map rates of all ranks together, with random 8-byte keys.
//
//     bench-hash_map [calls]      calls: per rank and operation
#include <acre/acre.hpp>

#include <bench/keys.hpp>
#include <bench/phases.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace acre::guarantees;
using namespace acre::bench;
using map = acre::hash_map<std::uint64_t, std::uint64_t>;

constexpr int rounds = 3;
constexpr auto increment = [](std::uint64_t& value) noexcept { ++value; };

void measure_single(map& entries, std::uint64_t calls, rates& all) {
  const auto [mine, others] = key_sets();
  const auto absent = [&others = others](std::uint64_t i) { return ~others(i); };
  const auto each = [&](const std::string& name, auto&& operation) {
    measure_each(all, name, calls, operation);
  };
  each("insert", [&](auto i) { entries.insert(mine(i), i); });
  each("find", [&](auto i) { keep(*entries.find(others(i))); });
  each("find, only<find>", [&](auto i) { keep(*entries.find(others(i), only<find>)); });
  each("find absent", [&](auto i) { keep(entries.find(absent(i)).has_value()); });
  each("find absent, only<find>",
       [&](auto i) { keep(entries.find(absent(i), only<find>).has_value()); });
  each("insert_or_assign", [&](auto i) { entries.insert_or_assign(others(i), i); });
  each("fetch_add", [&](auto i) { keep(entries.fetch_add(others(i), 1)); });
  each("fetch_add, only<update>",
       [&](auto i) { keep(entries.fetch_add(others(i), 1, only<update>)); });
  each("update", [&](auto i) { entries.update(others(i), increment, 0); });
  each("erase", [&](auto i) { entries.erase(mine(i)); });
  entries.clear();
  each("insert, only<insert>", [&](auto i) { entries.insert(mine(i), i, only<insert>); });
  entries.clear();
}

void measure_local(map& entries, std::uint64_t calls, rates& all) {
  const std::vector<std::uint64_t> keys = owned_keys(entries, calls);
  const auto each = [&](const std::string& name, auto&& operation) {
    measure_each(all, name, calls, operation);
  };
  each("insert, local", [&](auto i) { entries.insert(keys[i], i, local); });
  each("find, local", [&](auto i) { keep(*entries.find(keys[i], local)); });
  each("fetch_add, local", [&](auto i) { keep(entries.fetch_add(keys[i], 1, local)); });
  each("erase, local", [&](auto i) { entries.erase(keys[i], local); });
  entries.clear();
}

void measure_many(map& entries, std::uint64_t calls, rates& all) {
  const auto [mine, others] = key_sets();
  const std::vector<std::uint64_t> values(batch);
  const auto insert_all = [&](auto guarantee) {
    in_batches(calls, mine, [&](auto keys) {
      entries.insert_many(keys, std::span(values).first(keys.size()), guarantee);
    });
  };
  std::vector<std::optional<std::uint64_t>> found(batch);
  const auto find_all = [&](auto guarantee) {
    in_batches(calls, others, [&](auto keys) {
      entries.find_many(keys, std::span(found).first(keys.size()), guarantee);
      keep(*found[0]);
    });
  };
  measure(all, "insert_many", calls, [&] { insert_all(acre::no_guarantee{}); });
  entries.clear();
  measure(all, "insert_many, only<insert>", calls, [&] { insert_all(only<insert>); });
  measure(all, "find_many", calls, [&] { find_all(acre::no_guarantee{}); });
  measure(all, "find_many, only<find>", calls, [&] { find_all(only<find>); });
  entries.clear();
}

void measure_buffered(map& entries, std::uint64_t calls, rates& all) {
  const auto [mine, others] = key_sets();
  measure(all, "buffered insert", calls, [&] {
    acre::buffered writer(entries, acre::inserting);
    for (std::uint64_t i = 0; i < calls; ++i) writer.insert(mine(i), i);
  });
  measure(all, "buffered find", calls, [&] {
    acre::buffered reader(entries,
                          acre::finding([](std::uint64_t, const auto& value) { keep(*value); }));
    for (std::uint64_t i = 0; i < calls; ++i) reader.find(others(i));
  });
  measure(all, "buffered add", calls, [&] {
    acre::buffered writer(entries, acre::counting);
    for (std::uint64_t i = 0; i < calls; ++i) writer.add(others(i));
  });
  entries.clear();
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const std::uint64_t calls = calls_wanted(argc, argv, 1'000'000, 2'000);
  rates all;
  {
    map entries(acre::world(), 2 * calls * acre::size());
    for (int round = 0; round < rounds; ++round) {
      measure_single(entries, calls, all);
      measure_local(entries, calls, all);
      measure_many(entries, calls, all);
      measure_buffered(entries, calls, all);
    }
  }
  print(all, calls);
  return 0;
}
