// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/checkpoint_links.hpp>

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/object_type.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <cstdint>
#include <cstring>

namespace acre::agas {

using namespace checkpoint_format;

std::string describe_member(const std::string& type, std::size_t number,
                            std::span<const std::size_t> extents) {
  return "member " + std::to_string(number) + " of " + layout::extents_text(extents) + " of " +
         type;
}

link link_to(std::span<const collection_state* const> scope, const name_in_state& named,
             const std::string& holder) {
  for (std::size_t part = 0; part < scope.size(); ++part) {
    link made{.offset = named.offset, .part = static_cast<std::uint32_t>(part)};
    if (named.is_collection) {
      if (scope[part]->handle() != named.name) continue;
      made.kind = link_kind::collection;
      return made;
    }
    const auto number = scope[part]->number_of(named.name);
    if (!number) continue;
    made.number = *number;
    made.kind = named.name.has_credit() ? link_kind::reference : link_kind::id;
    return made;
  }
  const object_type* const type = type_of_number(named.name.type());
  throw error("checkpoint",
              holder + " names " +
                  (named.is_collection ? "another collection" : to_string(named.name)) +
                  (type != nullptr ? ", of a " + name_of(*type) + "," : "") +
                  " which is not in the same checkpoint",
              "write both together, checkpoint(std::tie(these, those), path), or omit the name "
              "from acre_fields");
}

std::vector<gid> bind_names(std::span<std::byte> state, std::span<const link> links,
                            std::span<const std::unique_ptr<collection_state>> all) {
  std::vector<gid> references;
  std::size_t bound = 0;
  for (const link& each : links) {
    if (each.part >= all.size() || each.kind > link_kind::collection || each.offset < bound ||
        each.offset > state.size() || state.size() - each.offset < sizeof(gid) ||
        (each.kind != link_kind::collection && each.number >= all[each.part]->size())) {
      throw error("restore", "a link of the state is invalid");
    }
    gid name = each.kind == link_kind::collection ? all[each.part]->handle()
                                                  : all[each.part]->name_of(each.number);
    if (each.kind == link_kind::reference) {
      name = name.with_credit(log2_of_new_credit());
      references.push_back(name);
    }
    std::memcpy(state.data() + each.offset, &name, sizeof name);
    bound = each.offset + sizeof name;
  }
  return references;
}

}  // namespace acre::agas
