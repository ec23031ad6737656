// SPDX-License-Identifier: BSD-3-Clause
// Histories of moving collection members, with checkpoints.
#include "trial.hpp"
#include <acre/agas/checkpoint.hpp>
#include <acre/agas/invoke_to.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace histories {
namespace {

struct hits {
  std::uint64_t direct = 0;
  std::uint64_t all = 0;
  std::uint64_t passed = 0;  ///< calls that another member has passed on
  friend bool operator==(const hits&, const hits&) = default;
};

class member {
 public:
  /// @param number  number of the caller's call of this member
  void hit(acre::rank_t caller, std::uint32_t number) {
    ++hits_.direct;
    out_of_turn_ += next_[caller]++ == number ? 0 : 1;
  }
  void hit_with_all() { ++hits_.all; }
  void take(std::uint64_t passed) { hits_.passed += passed; }
  [[nodiscard]] std::uint64_t give() const { return 1; }
  void meet(const acre::object_id<member>& other) { others_.push_back(other); }
  void hold(const acre::object_ref<member>& other) { held_.push_back(other); }
  void pass_on() {
    for (const auto& each : others_) acre::invoke_ff(each, &member::take, std::uint64_t{1});
    for (const auto& each : held_) acre::invoke_ff(each, &member::take, std::uint64_t{1});
  }
  [[nodiscard]] std::uint64_t known() const { return others_.size() + held_.size(); }
  [[nodiscard]] hits seen() const { return hits_; }
  [[nodiscard]] std::uint32_t out_of_turn() const { return out_of_turn_; }
  /// In a new job, callers count from 0 again.
  void forget_callers() { next_.clear(); }

  friend auto acre_fields(member& m) {
    return std::tie(m.hits_, m.out_of_turn_, m.next_, m.others_, m.held_);
  }

 private:
  hits hits_;
  std::uint32_t out_of_turn_ = 0;
  std::map<acre::rank_t, std::uint32_t> next_;
  std::vector<acre::object_id<member>> others_;
  std::vector<acre::object_ref<member>> held_;
};
using members = acre::object_collection<member>;

acre::rank_t owner_of(std::uint64_t seed, std::size_t i) {
  return static_cast<acre::rank_t>(acre::mix_bits(seed + i) % acre::size());
}

members make_members(trial& round) {
  const std::size_t extent = 1 + round.together(60);
  const std::uint64_t seed = round.together(1'000'000);
  const auto make = [](std::size_t) { return member(); };
  switch (round.together(3)) {
    case 0:
      return acre::make_collection<member>(extent, acre::dist::cyclic, make);
    case 1:
      return acre::make_collection<member>(
          extent, [=](std::size_t i) { return owner_of(seed, i); }, make);
    default:
      return acre::make_collection<member>(extent, make);
  }
}

class player {
 public:
  explicit player(std::size_t callees) : sent_(callees) {}

  void run(trial& round, const members& all, std::uint64_t steps) {
    const auto any = [&] { return std::size_t(round.alone(all.size())); };
    const auto any_rank = [&] { return acre::rank_t(round.alone(acre::size())); };
    for (; steps != 0; --steps) {
      round.dawdle();
      const std::size_t i = any();
      switch (round.alone(16)) {
        case 0:
        case 1:
        case 2:
          moves_.push_back(acre::migrate(all[i], any_rank()));
          break;
        case 3:
          acre::invoke_all_ff(all, &member::hit_with_all);
          expected_.all += all.size();
          break;
        case 4:
          acre::invoke_to(all[any()], &member::take, all[i], &member::give);
          ++expected_.passed;
          break;
        case 5:
          acre::invoke_ff(all[i], &member::meet, all[any()]);
          break;
        case 6:
          acre::invoke_ff(all[i], &member::hold, all.ref(any()).get());
          break;
        case 7:
          static_cast<void>(acre::invoke(all[i], &member::known).get());
          break;
        default:
          acre::invoke_ff(all[i], &member::hit, acre::rank(), sent_[i]++);
          ++expected_.direct;
      }
      if (moves_.size() > 8) take_move();
    }
    while (!moves_.empty()) take_move();
  }
  void forget_numbers() { sent_.assign(sent_.size(), 0); }
  [[nodiscard]] hits& expected() noexcept { return expected_; }

 private:
  void take_move() {
    moves_.front().get();
    moves_.pop_front();
  }

  std::vector<std::uint32_t> sent_;
  std::deque<acre::future<void>> moves_;
  hits expected_;
};

/// Collective; no calls may be pending.
bool have_seen_all(const members& all, const hits& of_this_rank) {
  std::array expected{of_this_rank.direct, of_this_rank.all, of_this_rank.passed};
  acre::world().allreduce(std::span<std::uint64_t>(expected), acre::op::sum);
  const hits seen = acre::invoke_reduce(
      all,
      [](const hits& a, const hits& b) {
        return hits{a.direct + b.direct, a.all + b.all, a.passed + b.passed};
      },
      &member::seen);
  const auto out_of_turn = acre::invoke_reduce(all, acre::op::sum, &member::out_of_turn);
  const bool fine = seen == hits{expected[0], expected[1], expected[2]} && out_of_turn == 0;
  if (!fine && acre::rank() == 0) {
    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    std::fprintf(stderr,
                 "  %u calls out of turn; direct %llu of %llu, all %llu of %llu, "
                 "passed %llu of %llu\n",
                 out_of_turn, number(seen.direct), number(expected[0]), number(seen.all),
                 number(expected[1]), number(seen.passed), number(expected[2]));
  }
  return fine;
}

void pass_on(const members& all, hits& expected) {
  const auto known = acre::invoke_reduce(all, acre::op::sum, &member::known);
  if (acre::rank() == 0) expected.passed += known;
  acre::invoke_all(all, &member::pass_on);
  acre::drain();
}

members read_again(trial& round, const std::string& path) {
  const std::uint64_t seed = round.together(1'000'000);
  if (round.together(2) == 0) return acre::restore<members>(path);
  return acre::restore<members>(path, [=](std::size_t i) { return owner_of(seed, i); });
}

bool run_collections(trial& round) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("acre-soak-" + std::to_string(acre::world().broadcast(::getpid(), 0))))
                               .string();
  members all = make_members(round);
  player mine(all.size());
  bool fine = true;
  for (std::uint64_t phase = 1 + round.together(3); phase-- > 0;) {
    mine.run(round, all, round.steps(300));
    acre::drain();
    fine = have_seen_all(all, mine.expected()) && fine;
    acre::checkpoint(all, path);
    const hits in_file = mine.expected();
    if (round.together(2) == 0) mine.run(round, all, 20);
    acre::drain();
    all = members();
    all = read_again(round, path);
    acre::invoke_all(all, &member::forget_callers);
    mine.forget_numbers();
    mine.expected() = in_file;  // calls after the checkpoint are lost
    pass_on(all, mine.expected());
    fine = have_seen_all(all, mine.expected()) && fine;
    round.count(round.steps(300));
  }
  if (acre::rank() == 0) std::filesystem::remove(path);
  return fine;
}

}  // namespace

std::vector<subject> collection_subjects() { return {{"collections of objects", run_collections}}; }

}  // namespace histories
