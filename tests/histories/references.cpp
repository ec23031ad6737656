// SPDX-License-Identifier: BSD-3-Clause
// Random operations on references to moving objects. Held credit finally equals issued credit, and
// all objects are freed.
#include "trial.hpp"
#include <acre/agas/names.hpp>
#include <acre/agas/object_ref.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace histories {
namespace {

class node;
using node_ref = acre::object_ref<node>;

std::atomic<std::int64_t> alive = 0;

bool happens(unsigned once_in) {
  thread_local std::minstd_rand chance(std::random_device{}());
  return chance() % once_in == 0;
}

class node {
 public:
  explicit node(std::vector<node_ref> links = {}) : links_(std::move(links)) { ++alive; }
  node(node&& other) noexcept : links_(std::move(other.links_)), calls_(other.calls_) { ++alive; }
  ~node() { --alive; }

  void link(const node_ref& to) { links_.push_back(to); }
  void unlink() { links_.clear(); }
  [[nodiscard]] node_ref last_link() const { return links_.empty() ? node_ref() : links_.back(); }
  std::uint64_t call() { return ++calls_; }

  using state = std::tuple<std::vector<node_ref>, std::uint64_t, acre::rank_t>;
  friend state acre_save(const node& n) { return {n.links_, n.calls_, acre::rank()}; }
  friend node acre_load(std::type_identity<node>, state from) {
    auto& [links, calls, saved_by] = from;
    // Fails at other ranks only, so a failed move can be undone.
    if (saved_by != acre::rank() && happens(32)) throw std::runtime_error("cannot be made here");
    node made(std::move(links));
    made.calls_ = calls;
    return made;
  }

 private:
  std::vector<node_ref> links_;
  std::uint64_t calls_ = 0;
};

/// Reference cycles would never be freed, so links go one way only.
bool may_refer(const node_ref& from, const node_ref& to) {
  return std::pair(from.name().home(), from.name().id()) <
         std::pair(to.name().home(), to.name().id());
}

class holder {
 public:
  explicit holder(std::uint64_t seed) : chance_(seed), mine_(8) {}

  void run(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      step();
      if (below(32) == 0) acre::progress();
      if (below(512) == 0) ::usleep(static_cast<useconds_t>(below(100)));
    }
    while (!moves_.empty()) take_move();
  }
  [[nodiscard]] const std::vector<node_ref>& references() const noexcept { return mine_; }
  [[nodiscard]] std::uint64_t moves() const noexcept { return moved_; }
  void drop_all() { mine_.clear(); }

 private:
  std::uint64_t below(std::uint64_t bound) { return chance_() % bound; }
  acre::rank_t any_rank() { return static_cast<acre::rank_t>(below(acre::size())); }
  std::string any_name() { return "/soak/" + std::to_string(below(5)); }

  void step() {
    node_ref& a = mine_[below(mine_.size())];
    node_ref& b = mine_[below(mine_.size())];
    if (!a || below(24) == 0) {
      a = below(2) == 0 ? acre::create_here<node>() : acre::create<node>(any_rank()).get();
    }
    switch (below(14)) {
      case 0:
        if (b && may_refer(a, b)) acre::invoke_ff(a, &node::link, b);
        return;
      case 1:
        return acre::invoke_ff(a, &node::unlink);
      case 2:
      case 3:
      case 4:
        return move(a);
      case 5:
        return acre::rpc_ff(
            any_rank(), [](const node_ref& r) { acre::invoke_ff(r, &node::call); }, a);
      case 6:
        b = a;
        return;
      case 7:
        b = acre::invoke(a, &node::last_link).get();
        return;
      case 8:
        a = {};
        return;
      case 9:
        return register_one(a);
      case 10:
        return resolve_one(b);
      case 11:
        static_cast<void>(acre::unregister_name(any_name()).get());
        return;
      case 12:
        static_cast<void>(acre::invoke(a, &node::call));
        return;
      default:
        acre::invoke_ff(a, &node::call);
    }
  }

  void move(const node_ref& object) {
    ++moved_;
    moves_.push_back(acre::migrate(object, any_rank()));
    if (moves_.size() > 8) take_move();
  }
  void take_move() {
    try {
      moves_.front().get();
    } catch (const acre::error&) {
      // The object cannot be restored there, or was freed.
    }
    moves_.pop_front();
  }
  void register_one(const node_ref& object) {
    try {
      acre::register_name(any_name(), object).get();
    } catch (const acre::error&) {
    }
  }
  void resolve_one(node_ref& into) {
    try {
      into = acre::resolve<node>(any_name()).get();
    } catch (const acre::error&) {
    }
  }

  std::mt19937_64 chance_;
  std::vector<node_ref> mine_;
  std::deque<acre::future<void>> moves_;
  std::uint64_t moved_ = 0;
};

/// Collective; no calls may be pending.
bool credit_is_conserved(const std::deque<holder>& holders) {
  std::vector<acre::gid> names;
  for (const holder& each : holders) {
    for (const node_ref& one : each.references()) {
      if (one) names.push_back(one.name());
    }
  }
  bool fine = true;
  for (const auto& of_rank : acre::world().allgatherv(std::span<const acre::gid>(names))) {
    for (const acre::gid& each : of_rank) {
      const std::uint64_t held = acre::world().allreduce(acre::agas::credit_held(each));
      const std::uint64_t issued = acre::world().allreduce(acre::agas::issued_credit(each));
      if (held == issued) continue;
      fine = false;
      if (acre::rank() == 0) {
        std::fprintf(stderr, "  %s: credit of %llu is held, of %llu issued\n",
                     acre::to_string(each).c_str(), static_cast<unsigned long long>(held),
                     static_cast<unsigned long long>(issued));
      }
    }
  }
  return fine;
}

bool all_is_freed() {
  const std::int64_t left = acre::world().allreduce(alive.load());
  if (left != 0 && acre::rank() == 0) {
    std::fprintf(stderr, "  %lld objects are left\n", static_cast<long long>(left));
  }
  return left == 0;
}

bool run_references(trial& round, std::uint32_t threads) {
  std::deque<holder> holders;
  for (std::uint32_t i = 0; i < threads; ++i) holders.emplace_back(round.alone(~std::uint64_t{0}));
  bool fine = true;
  const std::uint64_t phases = 1 + round.together(4);
  for (std::uint64_t phase = 0; phase < phases; ++phase) {
    const std::uint64_t steps = round.steps(600) * (1 + round.alone(3)) / threads;
    {
      std::vector<std::jthread> others;
      std::atomic<std::uint32_t> working = threads - 1;
      for (std::uint32_t i = 1; i < threads; ++i) {
        others.emplace_back([&working, &mine = holders[i], steps] {
          mine.run(steps);
          --working;
        });
      }
      holders[0].run(steps);
      acre::wait_until([&] { return working == 0; });
    }
    acre::drain();
    fine = credit_is_conserved(holders) && fine;
  }
  for (holder& each : holders) {
    round.count(each.moves());
    each.drop_all();
  }
  if (acre::rank() == 0) {
    for (const std::string& each : acre::names_with_prefix("/soak/")) {
      static_cast<void>(acre::unregister_name(each).get());
    }
  }
  acre::drain();
  fine = all_is_freed() && fine;
  return acre::world().allreduce(fine ? 1 : 0, acre::op::min) == 1;
}

}  // namespace

std::vector<subject> reference_subjects() {
  return {{"references to objects", [](trial& round) { return run_references(round, 1); }},
          {"references of threads", [](trial& round) {
             return run_references(round, 2 + static_cast<std::uint32_t>(round.together(3)));
           }}};
}

}  // namespace histories
