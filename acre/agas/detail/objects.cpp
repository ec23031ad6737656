// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/objects.hpp>

#include <acre/agas/detail/delivery.hpp>
#include <acre/agas/detail/job_steps.hpp>
#include <acre/agas/detail/object_space.hpp>
#include <acre/agas/detail/whereabouts.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/require_job.hpp>

#include <utility>

namespace acre::agas {
namespace {

[[maybe_unused]] const bool job_steps_added = add_job_steps();

[[gnu::noinline]] bool wait_and_look(gid name) noexcept {
  const held_lock hold(space().lock);
  return space().hosts(name);
}

}  // namespace

gid settle(object_owner object, bool is_counted) {
  runtime::require_job("create");
  object_type& type = *object->type;
  const std::uint16_t number = number_of(type);
  const agas_timer timed(agas_counted::bind, agas_timed::bind);
  const held_lock hold(space().lock);
  const std::uint32_t slot = space().take_slot();
  directory_entry& entry = space().directory[slot];
  ++entry.generation;
  object->name = gid({.home = rank(),
                      .type = number,
                      .is_movable = type.is_movable(),
                      .is_counted = is_counted,
                      .slot = slot,
                      .generation = entry.generation});
  entry.at = {.owner = rank(), .epoch = 0};
  entry.settled = 0;
  entry.issued = 0;
  entry.here = object.get();
  return object.release()->name;
}

void require_type(const gid& name, object_type& wanted) {
  if (name.type() == number_of(wanted)) return;
  const object_type* const is = type_of_number(name.type());
  if (is != nullptr && is_base_of(wanted, *is)) return;
  throw error(
      "object_id",
      to_string(name) + " is " +
          (is == nullptr ? "of a type that is unknown in this binary" : "a " + name_of(*is)) +
          ", not a " + name_of(wanted),
      describe_whereabouts(name));
}

namespace {

hosted_object* try_to_pin(const gid& name) noexcept {
  hosted_object* const object = space().find(name);
  if (object == nullptr || object->is_leaving) return nullptr;
  ++object->pins;
  return object;
}

void give_up_pin(hosted_object& object, held_lock& hold) noexcept {
  --object.pins;
  if (object.waiting.is_empty()) return;
  const gid name = object.name;
  hold.unlock();
  run_waiting_of(name);
}

pin_record*& link_to(pin_record& by) noexcept {
  pin_record** link = &by.object->pinned_by;
  while (*link != &by) link = &(*link)->next;
  return *link;
}

}  // namespace

hosted_object* pin(const gid& name) noexcept {
  const held_lock hold(space().lock);
  return try_to_pin(name);
}

void unpin(hosted_object& object) noexcept {
  held_lock hold(space().lock);
  give_up_pin(object, hold);
}

void pin(const gid& name, pin_record& by) noexcept {
  const held_lock hold(space().lock);
  hosted_object* const object = try_to_pin(name);
  if (object == nullptr) return;
  by = {.object = object,
        .thread = &runtime::code_here,
        .next = std::exchange(object->pinned_by, &by)};
  object->count_ends_that_wait();
}

void move_pin(pin_record& from, pin_record& to) noexcept {
  if (from.object == nullptr) return;
  const held_lock hold(space().lock);
  link_to(from) = &to;
  to = from;
  to.thread = &runtime::code_here;
  from = {};
}

void unpin(pin_record& by) noexcept {
  if (by.object == nullptr) return;
  held_lock hold(space().lock);
  link_to(by) = by.next;
  by.object->count_ends_that_wait();
  give_up_pin(*std::exchange(by.object, nullptr), hold);
}

bool is_here(gid name) noexcept {
  if (!space().lock.try_lock()) [[unlikely]] {
    return wait_and_look(name);
  }
  const held_lock hold(space().lock, std::adopt_lock);
  return space().hosts(name);
}

void prefetch(std::span<const gid> names) noexcept {
  const held_lock hold(space().lock);
  for (const gid& each : names) space().prefetch(each);
}

}  // namespace acre::agas
