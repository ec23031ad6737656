// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/names.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

struct named {
  int number = 0;
};
struct another {};

std::string name_of_rank(acre::rank_t r) { return "/names/" + std::to_string(r); }

TEST(NamesSmoke, FindWhatOthersHaveRegistered) {
  acre::register_name(name_of_rank(acre::rank()), acre::create_here<named>(int(acre::rank())))
      .get();
  for (acre::rank_t r = 0; r < acre::size(); ++r) {
    const auto found = acre::resolve_when_registered<named>(name_of_rank(r)).get();
    EXPECT_EQ(acre::invoke(found, &named::number).get(), int(r));
  }
  acre::barrier();
  EXPECT_EQ(acre::names_with_prefix("/names/").size(), acre::size());
  EXPECT_EQ(acre::names_with_prefix("/other"), std::vector<std::string>());
  acre::barrier();
  EXPECT_TRUE(acre::unregister_name(name_of_rank(acre::rank())).get());
  EXPECT_FALSE(acre::unregister_name(name_of_rank(acre::rank())).get());
}

TEST(NamesSmoke, SayWhatIsWrong) {
  const std::string mine = name_of_rank(acre::rank());
  const auto object = acre::create_here<named>();
  EXPECT_THROW(static_cast<void>(acre::resolve<named>(mine).get()), acre::error);
  acre::register_name(mine, object).get();
  EXPECT_THROW(acre::register_name(mine, object).get(), acre::error);
  EXPECT_THROW(static_cast<void>(acre::resolve<another>(mine).get()), acre::error);
  EXPECT_THROW(static_cast<void>(acre::register_name(mine, acre::object_ref<named>())),
               acre::error);
  EXPECT_THROW(static_cast<void>(acre::register_name("", object)), acre::error);
  EXPECT_THROW(static_cast<void>(acre::resolve<named>("")), acre::error);
  EXPECT_THROW(static_cast<void>(acre::resolve_when_registered<named>("")), acre::error);
  EXPECT_TRUE(acre::unregister_name(mine).get());
  acre::barrier();
}

TEST(Names, ThatAreAwaitedAreNotWaitedForByDrain) {
  auto coming = acre::resolve_when_registered<named>(name_of_rank(acre::rank()));
  auto late = acre::resolve_when_registered<named>("/late");
  acre::drain();
  EXPECT_FALSE(coming.is_ready());
  EXPECT_FALSE(late.is_ready());
  acre::barrier();
  if (acre::rank() == 0) acre::register_name("/late", acre::create_here<named>(4)).get();
  EXPECT_EQ(acre::invoke(late.get(), &named::number).get(), 4);
  acre::barrier();
  if (acre::rank() == 0) EXPECT_TRUE(acre::unregister_name("/late").get());
  acre::register_name(name_of_rank(acre::rank()), acre::create_here<named>(3)).get();
  EXPECT_EQ(acre::invoke(coming.get(), &named::number).get(), 3);
  EXPECT_TRUE(acre::unregister_name(name_of_rank(acre::rank())).get());
}

}  // namespace
