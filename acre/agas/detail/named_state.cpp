// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/named_state.hpp>

#include <acre/agas/detail/collection_state.hpp>
#include <acre/agas/detail/object_type.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <string>

namespace acre::agas {

void named_state::note(const void* name, std::size_t offset, bool is_collection) {
  gid noted;
  std::memcpy(static_cast<void*>(&noted), name, sizeof noted);
  if (noted) names_.push_back({offset, noted, is_collection});
}

void named_state::search(const void* object, std::size_t bytes, const std::type_info& type) const {
  const auto* const begin = static_cast<const std::byte*>(object);
  for (std::size_t at = 0; at + sizeof(gid) <= bytes; at += alignof(gid)) {
    gid perhaps;
    std::memcpy(static_cast<void*>(&perhaps), begin + at, sizeof perhaps);
    const bool is_member = std::ranges::any_of(scope_, [&](const collection_state* each) {
      return each->number_of(perhaps) &&
             each->name_of(*each->number_of(perhaps)).type() == perhaps.type();
    });
    if (!is_member) continue;
    throw error("checkpoint",
                "a " + base::readable_name(type) + " is sent as its bytes, and holds the name of " +
                    to_string(perhaps) + ", which is invalid after a restore",
                "define acre_fields for that class, so that the name is recognised");
  }
}

}  // namespace acre::agas
