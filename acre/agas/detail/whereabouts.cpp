// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/whereabouts.hpp>

#include <acre/agas/detail/object_space.hpp>

#include <optional>

namespace acre::agas {
namespace {

enum class fate { unknown, lives, has_ended, never_was };

struct last_known {
  fate what = fate::unknown;
  std::optional<rank_t> where;
};

last_known look_for(const gid& name) {
  const held_lock hold(space().lock);
  if (space().find(name) != nullptr) return {fate::lives, rank()};
  if (const place* const went = space().departed.find(name)) return {fate::lives, went->owner};
  if (name.home() != rank()) {
    const place* const hint = space().hints.find(name);
    return hint == nullptr ? last_known{} : last_known{fate::unknown, hint->owner};
  }
  if (name.slot() >= space().directory.size()) return {fate::never_was, {}};
  const directory_entry& entry = space().directory[name.slot()];
  if (entry.generation == name.generation()) return {fate::lives, entry.at.owner};
  if (entry.generation < name.generation() || name.generation() % 2 == 0)
    return {fate::never_was, {}};
  if (entry.generation == name.generation() + 1) return {fate::has_ended, entry.at.owner};
  return {fate::has_ended, {}};
}

}  // namespace

std::string describe_object(const gid& name) {
  const object_type* const type = type_of_number(name.type());
  return to_string(name) + (type == nullptr ? "" : ", a " + name_of(*type));
}

std::string describe_whereabouts(const gid& name) {
  const last_known known = look_for(name);
  std::string text = "its home is rank " + std::to_string(name.home());
  if (!known.where) return text;
  return text + "; it " + (known.what == fate::lives ? "is" : "was last known to be") +
         " on rank " + std::to_string(*known.where);
}

error no_such_object(const char* call, const gid& name) {
  const last_known known = look_for(name);
  const std::string why = known.what == fate::has_ended ? "it has been destroyed"
                          : known.what == fate::never_was
                              ? "it was never created"
                              : "it has been destroyed, or was never created";
  return {
      call, describe_object(name) + ", does not exist: " + why,
      describe_whereabouts(name) + "; an object_ref keeps its object alive, an object_id does not"};
}

}  // namespace acre::agas
