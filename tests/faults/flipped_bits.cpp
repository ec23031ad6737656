// SPDX-License-Identifier: BSD-3-Clause
// On a network that flips bits, a job ends correctly or with acre::error, without crash or hang.
// Payload may be wrong. Damage is reported later, as an altered request may block a call for ever.
// The other rank is a mirror (runtime/mirror.hpp).
//
//     ACRE_FLIP_JOBS=10000 ACRE_FLIP_SEED=1 build/dev/bin/acre-flips-losses-test
#include "loss.hpp"
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/ordered.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace {

using acre::fabric::loopback_wire;

struct counter {
  long value = 0;
  std::string name;
  long add(long more) { return value += more; }
  friend auto acre_fields(counter& c) { return std::tie(c.value, c.name); }
};

bool all_right = true;
void expect(bool condition) { all_right = all_right && condition; }

void use_memory() {
  const auto mine = acre::allocate<long>(20'000);
  const acre::global_ptr<long> there(1, mine.offset());
  // Static, because transfers may arrive after their call has failed.
  static std::vector<long> values(20'000);
  std::iota(values.begin(), values.end(), 1L);
  acre::put(there, std::span<const long>(values));
  static std::vector<long> back(values.size());
  acre::get(there, std::span(back));
  expect(back == values);
  using extents = std::array<std::size_t, 2>;
  using strides = std::array<std::ptrdiff_t, 2>;
  static std::vector<long> box(200);
  acre::get_strided(there, extents{10, 20}, strides{100, 2}, box.data(), strides{20, 1});
  for (std::size_t i = 0; i < 200; ++i) expect(box[i] == values[i / 20 * 100 + i % 20 * 2]);
  acre::put_strided(there, extents{10, 20}, strides{100, 2}, box.data(), strides{20, 1});
  static std::vector<long> large(8000);
  acre::get_strided(there, extents{80, 100}, strides{200, 2}, large.data(), strides{100, 1});
  acre::put_strided(there, extents{80, 100}, strides{200, 2}, large.data(), strides{100, 1});
  acre::put(there, 1L);
  expect(acre::fetch_add(there, 2L) == 1);
  expect(acre::get(there) == 3);
  acre::put(there, std::span<const long>(values.data(), 20),
            acre::then_at_target([](long x) { static_cast<void>(x); }, 5L));
  acre::quiet();
  acre::deallocate(mine);
}

void use_rpc() {
  expect(acre::rpc(1, [](int x) { return x + 1; }, 4).get() == 5);
  const std::string text(5000, 'x');
  expect(acre::rpc(1, [](const std::string& s) { return s + "y"; }, text).get() == text + "y");
  const std::vector<std::string> words{"one", "", "three"};
  auto back = acre::rpc(
      1, [](std::map<int, std::vector<std::string>> m) { return m; },
      std::map<int, std::vector<std::string>>{{1, words}, {2, {}}});
  expect(back.get() == std::map<int, std::vector<std::string>>{{1, words}, {2, {}}});
  int (*const twice)(int) = [](int x) { return 2 * x; };
  expect(acre::rpc(1, [](int (*f)(int)) { return f(21); }, twice).get() == 42);
  acre::rpc_ff(
      1, [](std::span<const double> values) { static_cast<void>(values.size()); },
      std::vector<double>(100, 0.5));
  acre::dist_object<std::vector<long>> parts(acre::world(), std::vector<long>(100, 3L));
  expect(parts.fetch(1).get().size() == 100);
  acre::barrier();
}

void use_containers() {
  acre::hash_map<std::uint64_t, std::uint64_t> numbers(acre::world(), 1000);
  for (std::uint64_t key = 0; key < 40; ++key) numbers.insert(key, key);
  for (std::uint64_t key = 0; key < 40; ++key) expect(numbers.find(key) == key);
  acre::hash_map<std::string, std::string> texts(acre::world(), 100);
  for (int i = 0; i < 10; ++i) texts.insert(std::string(20, static_cast<char>('a' + i)), "value");
  acre::hash_multimap<std::uint64_t, std::string> places(acre::world(), 100);
  {
    acre::buffered writer(places, acre::inserting);
    for (std::uint64_t key = 0; key < 20; ++key) writer.insert(key % 10, std::string(key, 'x'));
  }
  for (std::uint64_t key = 0; key < 10; ++key) expect(places.find(key).size() == 2);
  std::vector<std::uint64_t> keys(200);
  std::iota(keys.begin(), keys.end(), std::uint64_t{0});
  expect(numbers.find_many(keys).size() == keys.size());
  acre::bloom_filter<std::uint64_t> filter(acre::world(), 1000, 0.01);
  for (std::uint64_t key = 0; key < 20; ++key) filter.insert(key);
  expect(filter.find_many(std::span(keys).first(20)) == std::vector<bool>(20, true));
  acre::priority_queue<std::uint64_t> urgent(acre::world());
  for (std::uint64_t i = 0; i < 20; ++i) urgent.push(1, i);
  static_cast<void>(urgent.pop());
  acre::distributor<long> items(acre::world());
  for (long i = 0; i < 2000; ++i) items.push(1, i);
  items.finish([](long item) { static_cast<void>(item); });
}

void use_objects() {
  auto made = acre::create<counter>(1).get();
  for (long i = 0; i < 10; ++i) static_cast<void>(acre::invoke(made, &counter::add, i).get());
  acre::migrate(made, 1).get();
  for (long i = 0; i < 10; ++i) static_cast<void>(acre::invoke(made, &counter::add, i).get());
}

enum outcome : int { right = 0, wrong = 1, failed_well = 3, failed_otherwise = 4 };

int run_job(std::uint64_t seed) {
  constexpr std::array shares{0.1, 0.03, 0.01, 0.005, 0.002, 0.001, 0.0};
  ::setenv("ACRE_RANKS_PER_NODE", "1", 1);
  ::setenv("ACRE_CONDUIT", "loopback", 1);
  ::setenv("ACRE_SEGMENT_SIZE", "64M", 1);
  if (seed % 3 == 0) ::setenv("ACRE_OBJECT_BATCH", "4096", 1);
  const auto wire = std::make_shared<loopback_wire>(acre::fabric::loopback_limits{
      .max_payload = seed % 2 == 0 ? 4096U : 512U, .messages_follow_puts = seed % 4 < 2});
  acre::launch::use_bootstrap(acre::launch::make_mirror(wire));
  static_cast<void>(*new acre::job);  // leaked: a failed job cannot end
  constexpr std::array uses{&use_memory, &use_rpc, &use_containers, &use_objects};
  try {
    for (std::size_t i = 0; i < uses.size(); ++i) {
      const auto use = uses[(seed + i) % uses.size()];
      // A flipped put address is undetectable, so only headers are damaged.
      wire->set({.seed = seed + i,
                 .most_rounds_late = static_cast<unsigned>(seed % 3),
                 .flip_share = shares[seed % shares.size()],
                 .flips_headers_only = use == &use_memory,
                 .flips_found_after = 3000});
      use();
    }
    acre::progress();
  } catch (const acre::error& failure) {
    if (std::getenv("ACRE_FLIP_SEED") != nullptr) std::fprintf(stderr, "%s\n", failure.what());
    return wire->flips() != 0 ? failed_well : failed_otherwise;
  } catch (const std::exception& other) {
    std::fprintf(stderr, "seed %lu: no acre::error, but %s\n", static_cast<unsigned long>(seed),
                 other.what());
    return failed_otherwise;
  }
  return all_right || wire->flips() != 0 ? right : wrong;
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t usual_jobs = 40;
#elif defined(__has_feature)
constexpr std::uint64_t usual_jobs = __has_feature(address_sanitizer) ? 40 : 600;
#else
constexpr std::uint64_t usual_jobs = 600;
#endif

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(FlippedBits, EndAJobRightOrWithAnError) {
  const std::uint64_t first = setting("ACRE_FLIP_SEED", 1);
  const std::uint64_t jobs = setting("ACRE_FLIP_JOBS", usual_jobs);
  std::uint64_t errors = 0;
  for (std::uint64_t seed = first; seed < first + jobs; ++seed) {
    const int status = acre::faults::run_alone([seed] { return run_job(seed); });
    EXPECT_TRUE(status == right || status == failed_well)
        << "ACRE_FLIP_SEED=" << seed << " ACRE_FLIP_JOBS=1: ends with " << status;
    errors += status == failed_well ? 1 : 0;
  }
  if (jobs > 10) {
    EXPECT_GT(errors, jobs / 4) << "hardly anything was damaged";
  }
}

}  // namespace
