// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/collection_state.hpp>

#include <acre/agas/detail/job_steps.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/objects.hpp>
#include <acre/agas/detail/open_reductions.hpp>
#include <acre/base/error.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/extents_text.hpp>
#include <acre/runtime/job_hooks.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <string>

namespace acre::agas {
namespace {

struct left_slots {
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t generation;
};

struct known_collections {
  spin_lock lock;
  std::vector<collection_state*> all;
  std::vector<left_slots> left;
};
/// Never destroyed: a handle may outlive the job.
known_collections& known() {
  static auto& made = *new known_collections;
  return made;
}

[[maybe_unused]] const bool collections_registered =
    add_job_steps() && runtime::add_job_hooks({.ended = [] {
      const held_lock hold(known().lock);
      drop_all_reductions();
      for (collection_state* const each : known().all) each->outlive_job();
      known().all.clear();
      known().left.clear();
    }});

bool try_to_take(std::uint32_t first, std::uint32_t count) {
  const held_lock hold(space().lock);
  auto& directory = space().directory;
  const std::size_t before = directory.size();
  if (before > first) return false;
  directory.resize(std::size_t{first} + count);
  for (std::size_t slot = first; slot-- > before;) {
    directory[slot].next_free = std::exchange(space().free_slots, static_cast<std::uint32_t>(slot));
  }
  for (std::size_t slot = first; slot < directory.size(); ++slot) {
    directory[slot].next_free = object_space::in_collection;
  }
  return true;
}

void give_back(std::uint32_t first, std::uint32_t count) {
  const held_lock hold(space().lock);
  for (std::uint32_t slot = first + count; slot-- > first;) {
    space().directory[slot].next_free = std::exchange(space().free_slots, slot);
  }
}

std::uint32_t checked_capacity(std::size_t slots) {
  constexpr std::size_t most = std::size_t{1} << 31;
  if (slots > most) {
    throw error("make_collection",
                "a rank would be the home of " + std::to_string(slots) +
                    " members, more than the " + std::to_string(most) + " supported",
                "use more ranks, or a more even distribution");
  }
  return std::max(static_cast<std::uint32_t>(slots), 1U);
}

}  // namespace

collection_state::collection_state(collection_plan plan)
    : plan_(std::move(plan)),
      capacity_(checked_capacity(plan_.homes->capacity())),
      type_number_(agas::number_of(*plan_.type)) {
  for (const std::size_t extent : plan_.extents) size_ *= extent;
}

collection_state::~collection_state() {
  const held_lock hold(known().lock);
  std::erase(known().all, this);
}

void collection_state::take_names(const site& where) {
  auto& left = known().left;
  auto fits = left.end();
  for (auto each = left.begin(); each != left.end(); ++each) {
    if (each->count < capacity_) continue;
    if (fits == left.end() || each->count < fits->count) fits = each;
  }
  if (fits != left.end()) {
    first_slot_ = fits->first;
    capacity_ = fits->count;
    generation_ = fits->generation + 1;
    left.erase(fits);
  } else {
    for (;;) {
      std::size_t size = 0;
      {
        const held_lock hold(space().lock);
        size = space().directory.size();
      }
      const std::size_t first = world().allreduce(size, op::max, where);
      if (first + capacity_ >= object_space::in_collection) {
        throw error("make_collection", "the directory has no free slots for " +
                                           std::to_string(capacity_) + " members on each rank");
      }
      first_slot_ = static_cast<std::uint32_t>(first);
      const bool taken = try_to_take(first_slot_, capacity_);
      if (!global::has_failed_anywhere(world(), !taken, where)) break;
      if (taken) give_back(first_slot_, capacity_);
    }
    generation_ = 1;
  }
  const held_lock hold(known().lock);
  known().all.push_back(this);
}

std::optional<std::size_t> collection_state::number_of(const gid& name) const noexcept {
  if (!has_slot(name) || name.home() >= acre::size()) return std::nullopt;
  const std::size_t offset = name.slot() - first_slot_;
  if (offset >= plan_.homes->size_of(name.home())) return std::nullopt;
  return plan_.homes->number_of({.member = name.home(), .offset = offset});
}

std::vector<resident> collection_state::residents() const {
  std::vector<resident> found;
  const auto add = [&](const gid& name) {
    if (const auto number = number_of(name)) found.push_back({*number, name});
  };
  {
    const held_lock hold(space().lock);
    for (std::uint32_t i = 0; i < capacity_; ++i) {
      const directory_entry& entry = space().directory[first_slot_ + i];
      if (entry.generation == generation_ && entry.here != nullptr) add(entry.here->name);
    }
    space().guests.for_each([&](const gid& name, hosted_object*&) { add(name); });
  }
  std::ranges::sort(found, {}, &resident::number);
  return found;
}

std::vector<std::pair<rank_t, std::vector<gid>>> collection_state::members_by_owner() const {
  std::map<rank_t, std::vector<gid>> by_owner;
  {
    const held_lock hold(space().lock);
    for (std::uint32_t i = 0; i < capacity_; ++i) {
      const directory_entry& entry = space().directory[first_slot_ + i];
      if (entry.generation == generation_) by_owner[entry.at.owner].push_back(name_at(rank(), i));
    }
  }
  return {std::make_move_iterator(by_owner.begin()), std::make_move_iterator(by_owner.end())};
}

std::size_t collection_state::number_of_homes() const noexcept {
  std::size_t homes = 0;
  for (rank_t each = 0; each < acre::size(); ++each) homes += is_home(each) ? 1 : 0;
  return homes;
}

std::size_t collection_state::alive_at_home() const {
  const held_lock hold(space().lock);
  std::size_t alive = 0;
  for (std::uint32_t i = 0; i < capacity_; ++i) {
    alive += space().directory[first_slot_ + i].generation == generation_;
  }
  return alive;
}

std::vector<std::size_t> collection_state::missing_at_home() const {
  const held_lock hold(space().lock);
  std::vector<std::size_t> missing;
  const std::size_t homed = plan_.homes->size_of(rank());
  for (std::size_t i = 0; i < homed; ++i) {
    if (space().directory[first_slot_ + i].generation == generation_) continue;
    missing.push_back(plan_.homes->number_of({.member = rank(), .offset = i}));
  }
  return missing;
}

directory_entry collection_state::new_entry() const noexcept {
  directory_entry entry;
  entry.issued = 1;
  entry.generation = generation_;
  entry.next_free = object_space::in_collection;
  return entry;
}

global::common_call collection_state::making(const char* call, const site& where) const {
  global::common_call made(call, where);
  made.with_type("the members' type", *plan_.type->identity);
  for (const std::size_t extent : plan_.extents) made.with("extent", extent);
  std::uint64_t places = plan_.owner_of ? 1 : 0;
  for (rank_t home = 0; home < acre::size(); ++home) {
    places = mix_bits(places + plan_.homes->size_of(home));
  }
  constexpr std::size_t looked_at = 16;
  for (std::size_t i = 0; i < std::min(size_, looked_at); ++i) {
    const layout::place at = plan_.homes->place_of(i * (size_ / std::min(size_, looked_at)));
    places = mix_bits(places + at.offset + (std::uint64_t{at.member} << 40));
  }
  return made.with_identity("the owners of members", places);
}

std::vector<std::size_t> collection_state::share_out(const char* call) {
  const std::size_t homed = plan_.homes->size_of(rank());
  std::vector<std::vector<std::uint64_t>> by_owner(plan_.owner_of ? acre::size() : 1);
  std::exception_ptr failure;
  try {
    for (std::size_t i = 0; i < homed; ++i) {
      const std::size_t number = plan_.homes->number_of({.member = rank(), .offset = i});
      const rank_t owner = plan_.owner_of ? plan_.owner_of(number) : 0;
      if (owner >= acre::size()) {
        throw error(call, "the owner of member " + std::to_string(number) + ", rank " +
                              std::to_string(owner) + ", is out of range in a job of " +
                              std::to_string(acre::size()));
      }
      by_owner[owner].push_back(number);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  global::succeed_together(world(), call, site(), [&] {
    if (failure) std::rethrow_exception(failure);
  });
  if (!plan_.owner_of) return {by_owner[0].begin(), by_owner[0].end()};
  {
    const held_lock hold(space().lock);
    for (rank_t owner = 0; owner < acre::size(); ++owner) {
      for (const std::size_t number : by_owner[owner]) {
        directory_entry& entry = space().directory[name_of(number).slot()];
        entry = new_entry();
        entry.at = {.owner = owner, .epoch = owner == rank() ? 0U : 1U};
      }
    }
  }
  std::vector<std::size_t> mine;
  for (const auto& from : world().alltoallv(by_owner))
    mine.insert(mine.end(), from.begin(), from.end());
  return mine;
}

void collection_state::place(std::size_t number, object_owner object) {
  object->name = name_of(number);
  object->type = plan_.type;
  const agas_timer timed(agas_counted::bind, agas_timed::bind);
  const held_lock hold(space().lock);
  if (object->name.home() == rank()) {
    space().directory[object->name.slot()] = new_entry();
  } else {
    object->epoch = 1;
  }
  hosted_object& placed = *object.release();
  space().host(placed);
}

void collection_state::leave_out(std::size_t number) {
  const auto end_entry = [](const gid& name) {
    const held_lock hold(space().lock);
    if (space().entry_of(name) != nullptr) space().free_slot(name);
  };
  const gid name = name_of(number);
  if (name.home() == rank()) return end_entry(name);
  rpc_ff(name.home(), end_entry, name);
}

void collection_state::populate(const char* call, const site& where,
                                const std::function<object_owner(std::size_t number)>& make) {
  const runtime::failures_held until_all_have_come;
  global::require_same_call(world(), making(call, where));
  take_names(where);
  std::vector<std::size_t> mine;
  try {
    mine = share_out(call);
  } catch (...) {
    known().left.push_back({first_slot_, capacity_, generation_ - 1});
    throw;
  }
  std::exception_ptr failure;
  try {
    for (const std::size_t number : mine) place(number, make(number));
  } catch (...) {
    failure = std::current_exception();
  }
  if (!global::has_failed_anywhere(world(), failure != nullptr, where)) return;
  end();
  if (failure) std::rethrow_exception(failure);
  global::throw_failed_elsewhere(call, where, "a constructor");
}

void collection_state::end() noexcept {
  const runtime::failures_held until_all_are_here;
  try {
    drain();
    if (const std::string lacks = drop_reductions(identity()); !lacks.empty()) {
      runtime::keep_lost_failure(std::make_exception_ptr(error(
          "contribute", "the collection of a " + agas::name_of(type()) + " ends while " + lacks,
          "contribute in each member once to each round, before the collection ends")));
    }
    std::vector<object_owner> gone;
    bool is_pinned = false;
    const std::vector<resident> here = residents();
    {
      const held_lock hold(space().lock);
      for (const resident& each : here) {
        hosted_object* const object = space().find(each.name);
        if (object == nullptr) continue;
        if (object->is_running() || object->pins != 0) {
          is_pinned = true;
          continue;
        }
        space().let_go(*object);
        gone.emplace_back(object);
      }
      count(agas_counted::unbind, gone.size());
    }
    const bool is_left = !global::has_failed_anywhere(world(), is_pinned, site());
    if (is_left) {
      const held_lock hold(space().lock);
      for (std::uint32_t i = 0; i < capacity_; ++i) {
        space().directory[first_slot_ + i].generation = generation_ + 1;
      }
      known().left.push_back({first_slot_, capacity_, generation_ + 1});
    }
    gone.clear();
    barrier();
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

const collection_state& collection_of(const gid& handle, object_type& type,
                                      std::size_t dimensions) {
  if (!handle) {
    throw error("collection_id", "this handle of a collection is empty",
                "it was default-constructed: use object_collection::id()");
  }
  require_type(handle, type);
  const held_lock hold(known().lock);
  const auto found = std::ranges::find_if(
      known().all, [&](const collection_state* each) { return each->handle() == handle; });
  if (found == known().all.end()) {
    throw error(
        "collection_id", "the collection of a " + name_of(type) + " has ended",
        "keep the collection until all calls have completed, or call drain() before its end");
  }
  if ((*found)->extents().size() != dimensions) {
    throw error("collection_id", "a collection in " + std::to_string((*found)->extents().size()) +
                                     " dimensions does not match one in " +
                                     std::to_string(dimensions));
  }
  return **found;
}

void check_pattern(std::span<const std::size_t> extents, std::size_t size,
                   layout::member_t members) {
  std::size_t wanted = 1;
  for (const std::size_t extent : extents) wanted *= extent;
  if (size == wanted && members == acre::size()) return;
  throw error("make_collection",
              "the pattern has " + std::to_string(size) + " elements over " +
                  std::to_string(members) + " members, but the collection has " +
                  layout::extents_text(extents) + " over " + std::to_string(acre::size()) +
                  " ranks",
              "create the pattern with the same extents and acre::size() members");
}

void require_section(const collection_state& all, std::span<const std::size_t> first,
                     std::span<const std::size_t> extents, std::span<const std::size_t> steps) {
  for (std::size_t d = 0; d < first.size(); ++d) {
    const std::size_t most = all.extents()[d];
    if (first[d] > most || extents[d] > most - first[d]) {
      throw error("section", "indices " + std::to_string(first[d]) + " to " +
                                 std::to_string(first[d] + extents[d]) + " of dimension " +
                                 std::to_string(d) + " exceed the collection of " +
                                 layout::extents_text(all.extents()));
    }
    if (steps[d] == 0) {
      throw error("section", "the step in dimension " + std::to_string(d) + " is 0",
                  "use 1 for all indices");
    }
  }
}

void throw_no_such_index(const collection_state& all, std::span<const std::size_t> index) {
  std::string text;
  for (const std::size_t each : index) text += (text.empty() ? "" : ", ") + std::to_string(each);
  throw error("object_collection", "member " + text + " is out of range: the collection has " +
                                       layout::extents_text(all.extents()));
}

}  // namespace acre::agas
