// SPDX-License-Identifier: BSD-3-Clause
// Transfers of values half as large as the stack, which must not hold several copies.
#include <acre/acre.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/global/transfer/put_then.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace {

constexpr std::size_t bytes = std::size_t{4} << 20;
struct large {
  unsigned char part[bytes];
};
struct with_fields {
  int before = 0;
  large inside;
  friend auto acre_fields(with_fields& all) { return std::tie(all.before, all.inside); }
};
static_assert(sizeof(acre::future<large>) <= 32);

unsigned char value_at(std::size_t place, int seed) {
  return static_cast<unsigned char>(place * 7 + static_cast<std::size_t>(seed));
}
void fill(large& value, int seed) {
  for (std::size_t i = 0; i < bytes; ++i) value.part[i] = value_at(i, seed);
}
std::unique_ptr<large> made(int seed) {
  auto value = std::make_unique<large>();
  fill(*value, seed);
  return value;
}
bool holds(const large& value, int seed) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (value.part[i] != value_at(i, seed)) return false;
  }
  return true;
}
bool arrived_whole(const large& value, int seed) { return holds(value, seed); }
large returned(int seed) {
  large value;
  fill(value, seed);
  return value;
}

acre::rank_t last() { return acre::size() - 1; }

acre::task<bool> compare_later(acre::rank_t from) {
  const large value = co_await acre::rpc(from, returned, 5);
  co_return holds(value, 5);
}

bool has_arrived = false;

TEST(LargeValues, TravelByRpcsInBothDirections) {
  if (acre::rank() == 0) {
    const auto value = made(1);
    EXPECT_TRUE(acre::rpc(last(), arrived_whole, *value, 1).get());
    EXPECT_TRUE(
        acre::rpc(
            last(),
            [](const large& a, int seed) { return acre::make_ready_future(holds(a, seed)); },
            *value, 1)
            .get());
    auto both = std::make_unique<with_fields>();
    both->before = 3;
    fill(both->inside, 2);
    EXPECT_TRUE(acre::rpc(
                    last(),
                    [](const with_fields& all) { return all.before == 3 && holds(all.inside, 2); },
                    *both)
                    .get());
    const std::unique_ptr<large> back(new large(acre::rpc(last(), returned, 4).get()));
    EXPECT_TRUE(holds(*back, 4));
    EXPECT_TRUE(
        acre::rpc(last(), returned, 5).then([](const large& a) { return holds(a, 5); }).get());
    EXPECT_TRUE(compare_later(last()).get());
    EXPECT_TRUE(holds(acre::rpc(last(), returned, 6).share().get(), 6));
  }
  acre::barrier();
}

TEST(LargeValues, TravelByCallsOfObjectsAndWithPuts) {
  acre::dist_object<int> seed(acre::world(), 7);
  acre::barrier();
  if (acre::rank() == 0) {
    const auto value = made(7);
    EXPECT_TRUE(acre::rpc(
                    last(),
                    [](acre::dist_object<int>& here, const large& a) { return holds(a, *here); },
                    seed, *value)
                    .get());
  }
  has_arrived = false;
  const auto place = acre::allocate<int>(1);
  const auto places = acre::world().allgather(place);
  if (acre::rank() == 0) {
    const auto value = made(8);
    acre::put(places[last()], 1,
              acre::then_at_target([](const large& a) { has_arrived = holds(a, 8); }, *value));
  }
  acre::drain();
  EXPECT_EQ(has_arrived, acre::rank() == last());
  acre::deallocate(place);
}

TEST(LargeValues, TravelByGetsOfTypesWithInitialisers) {
  struct initialised {
    unsigned char part[bytes] = {};
  };
  const auto mine = acre::allocate<initialised>(1);
  mine.local()->part[bytes - 1] = 3;
  acre::barrier();
  const auto all = acre::world().allgather(mine);
  const std::unique_ptr<initialised> back(new initialised(acre::get(all[last()])));
  EXPECT_EQ(back->part[bytes - 1], 3);
  acre::barrier();
  acre::deallocate(mine);
}

TEST(LargeValues, TravelByPutsAndGetsOfOneValue) {
  const auto mine = acre::allocate<large>(1);
  const auto all = acre::world().allgather(mine);
  if (acre::rank() == 0) {
    const auto value = made(9);
    acre::put_async(all[last()], *value).get();
    EXPECT_TRUE(
        acre::get_async(all[last()]).then([](const large& a) { return holds(a, 9); }).get());
    const std::unique_ptr<large> back(new large(acre::get(all[last()])));
    EXPECT_TRUE(holds(*back, 9));
  }
  acre::barrier();
  acre::deallocate(mine);
}

}  // namespace
