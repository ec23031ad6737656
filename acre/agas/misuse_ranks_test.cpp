// SPDX-License-Identifier: BSD-3-Clause
// Misuse of objects: errors name the object, its home and its location.
#include <acre/agas/invoke.hpp>
#include <acre/agas/names.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/agas/other_rank_test.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/quiescence.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace {

using acre::testing::other;

struct wanderer {
  int steps = 0;
  friend auto acre_fields(wanderer& w) { return std::tie(w.steps); }
  friend bool acre_before_move(wanderer&, acre::rank_t to) { return to != 0; }
};
struct resident {
  int number = 0;
  resident() = default;
  resident(const resident&) = delete;
};

template <class Call>
void expect_error_about(const acre::gid& name, const std::string& what, const std::string& where,
                        Call&& call) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const acre::error& failed) {
    const std::string said = failed.problem_and_advice();
    EXPECT_NE(said.find(to_string(name)), std::string::npos) << said;
    EXPECT_NE(said.find(what), std::string::npos) << said;
    EXPECT_NE(said.find("its home is rank " + std::to_string(name.home())), std::string::npos)
        << said;
    EXPECT_NE(said.find(where), std::string::npos) << said;
  }
}
std::string on_rank(acre::rank_t r) { return " on rank " + std::to_string(r); }

TEST(MisuseSmoke, OfObjectsThatAreGoneSaysWhereTheyWere) {
  const acre::rank_t last = acre::size() - 1;
  const auto gone = acre::create_id<wanderer>(other()).get();
  if (last != 0) acre::migrate(gone, last).get();
  const acre::rank_t was = last != 0 ? last : other();
  acre::destroy(gone).get();
  acre::drain();
  expect_error_about(gone.name(), "it has been destroyed", "was last known to be" + on_rank(was),
                     [&] { acre::invoke(gone, &wanderer::steps).get(); });
  acre::barrier();
}

TEST(Misuse, OfObjectsThatNeverWereSaysSo) {
  const auto known = acre::create_id<wanderer>(other()).get();
  const acre::gid invented({.home = other(),
                            .type = known.name().type(),
                            .is_movable = true,
                            .is_counted = false,
                            .slot = 1U << 20,
                            .generation = 1});
  expect_error_about(invented, "it was never created", "", [&] {
    acre::invoke(acre::object_id<wanderer>(invented), &wanderer::steps).get();
  });
  EXPECT_THROW(acre::invoke(acre::object_id<wanderer>(), &wanderer::steps).get(), acre::error);
  acre::destroy(known).get();
  acre::barrier();
}

TEST(Misuse, OfTheWrongTypeNamesBoth) {
  const auto made = acre::create_id_here<wanderer>();
  expect_error_about(made.name(), "resident", "it is" + on_rank(acre::rank()),
                     [&] { static_cast<void>(acre::object_id<resident>(made.name())); });
  acre::destroy(made).get();
  acre::barrier();
}

TEST(Misuse, OfWhatMayNotMoveSaysWhereItStays) {
  const auto made = acre::create_id_here<wanderer>();
  const auto at = on_rank(acre::rank());
  if (acre::rank() != 0) {
    expect_error_about(made.name(), "has refused to move to rank 0", "it is" + at,
                       [&] { acre::migrate(made, 0).get(); });
  }
  expect_error_about(made.name(), "cannot move to rank 99", "it is" + at,
                     [&] { acre::migrate(made, 99).get(); });
  const auto stays = acre::create_id_here<resident>();
  const auto move = acre::global::promise_rpc<void>([&](std::uint64_t promise, auto finisher) {
    acre::agas::send_parcel_of({.target = stays.name(),
                                .answer = acre::global::lend_answer(promise, finisher),
                                .kind = acre::agas::parcel_kind::move},
                               other());
  });
  if (acre::size() > 1) {
    expect_error_about(stays.name(), "cannot be sent", "it is" + at,
                       [&] { const_cast<acre::future<void>&>(move).get(); });
  }
  acre::drain();
  acre::destroy(made).get();
  acre::destroy(stays).get();
  acre::barrier();
}

TEST(Misuse, OfANameThatIsBoundNamesTheObject) {
  const std::string name = "/misuse/" + std::to_string(acre::rank());
  const auto made = acre::create_here<wanderer>();
  acre::register_name(name, made).get();
  expect_error_about(made.name(), "is already bound to", "wanderer",
                     [&] { acre::register_name(name, made).get(); });
  acre::unregister_name(name).get();
  acre::barrier();
}

TEST(Misuse, OfQuiescenceInAFunctionOfAnObjectDoesNotWait) {
  const auto made = acre::create_id<wanderer>(other()).get();
  const auto search = [](wanderer&) { acre::quiescence().get(); };
  EXPECT_THROW(acre::invoke(made, search).get(), acre::error);
  acre::destroy(made).get();
  acre::barrier();
}

}  // namespace
