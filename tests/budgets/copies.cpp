// SPDX-License-Identifier: BSD-3-Clause
// Containers copy values once in each direction. Counts calls of memcpy and memmove, which copy
// large values.
#include <acre/acre.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace {

using value = std::array<std::byte, 24'000>;

std::size_t bytes_copied = 0;

void* copy(void* target, const void* source, std::size_t bytes) {
  if (bytes >= sizeof(value)) bytes_copied += bytes;
  void* const result = target;
  asm volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(bytes) : : "memory");
  return result;
}

}  // namespace

extern "C" void* memcpy(void* target, const void* source, std::size_t bytes) {
  return copy(target, source, bytes);
}
extern "C" void* memmove(void* target, const void* source, std::size_t bytes) {
  if (target <= source || static_cast<const std::byte*>(source) + bytes <= target) {
    return copy(target, source, bytes);
  }
  if (bytes >= sizeof(value)) bytes_copied += bytes;
  for (std::size_t left = bytes; left != 0; --left) {
    static_cast<std::byte*>(target)[left - 1] = static_cast<const std::byte*>(source)[left - 1];
    asm volatile("" : : : "memory");
  }
  return target;
}

namespace {

using table = acre::hash_map<std::uint64_t, value>;

template <class Operation>
double copies_of(Operation&& operation) {
  const std::size_t before = bytes_copied;
  operation();
  return static_cast<double>(bytes_copied - before) / sizeof(value);
}

std::optional<value> found;

[[gnu::noinline]] void insert(table& map, std::uint64_t key, const value& with) {
  map.insert(key, with);
}
[[gnu::noinline]] void assign(table& map, std::uint64_t key, const value& with) {
  map.insert_or_assign(key, with);
}
[[gnu::noinline]] std::optional<value> find(const table& map, std::uint64_t key) {
  return map.find(key);
}

TEST(Copies, AreOneIntoAMapAndOneOutOfIt) {
  if (acre::runtime::node_count() != 1) GTEST_SKIP() << "messages copy too";
  table map(acre::world(), 64);
  static value large{};
  const std::uint64_t mine = acre::rank();
  EXPECT_EQ(copies_of([&] { insert(map, mine, large); }), 1);
  EXPECT_EQ(copies_of([&] { insert(map, mine, large); }), 0);
  EXPECT_EQ(copies_of([&] { assign(map, mine, large); }), 1);
  std::byte seen{};
  EXPECT_EQ(copies_of([&] { seen = find(map, mine)->front(); }), 1);
  EXPECT_EQ(seen, std::byte{});
  acre::barrier();
}

}  // namespace
