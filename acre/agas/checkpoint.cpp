// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/checkpoint.hpp>

#include <acre/agas/detail/checkpoint_format.hpp>
#include <acre/agas/detail/checkpoint_links.hpp>
#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/objects.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/hash_bytes.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/record_file.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/extents_text.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/require_job.hpp>

#include <algorithm>
#include <cstring>
#include <exception>

namespace acre::agas {
namespace {

using namespace checkpoint_format;
using part_description = checkpoint_reader::part_description;

template <class Part>
void together(const char* call, const site& where, Part&& part) {
  global::run_together(world(), call, where, part);
}

struct rank_share {
  struct member {
    std::size_t part;
    std::size_t number;
    std::size_t offset;
    std::size_t bytes;
  };
  std::vector<member> members;
  std::vector<std::byte> content;
};

void add_record(rank_share& share, std::span<const checkpoint_part> parts, std::size_t part,
                const resident& member, std::span<const collection_state* const> scope) {
  const collection_state& all = *parts[part].members;
  hosted_object* const object = pin(member.name);
  if (object == nullptr) {
    throw error("checkpoint", to_string(member.name) + " moves or ends during the checkpoint",
                "wait for all moves before the call");
  }
  named_state state(scope);
  try {
    const names_only in_a_file;
    parts[part].save(*object, state);
  } catch (...) {
    unpin(*object);
    throw;
  }
  unpin(*object);
  std::vector<link> links;
  for (const name_in_state& each : state.names()) {
    links.push_back(
        link_to(scope, each, describe_member(name_of(all.type()), member.number, all.extents())));
    std::memset(state.bytes().data() + each.offset, 0, sizeof(gid));
  }
  const std::span<const std::byte> bytes = state.bytes();
  const std::size_t size = serialized_size(links, bytes);
  const std::size_t offset = round_up(share.content.size(), std::size_t{8});
  share.content.resize(offset + size);
  write_to(std::span(share.content).subspan(offset), links, bytes);
  share.members.push_back({part, member.number, offset, size});
}

[[nodiscard]] rank_share states_here(std::span<const checkpoint_part> parts,
                                     std::span<const collection_state* const> scope) {
  rank_share share;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const resident& each : parts[part].members->residents()) {
      add_record(share, parts, part, each, scope);
    }
  }
  share.content.resize(round_up(share.content.size(), std::size_t{8}));
  return share;
}

void require_all_members(std::span<const checkpoint_part> parts, const rank_share& share,
                         const site& where) {
  std::uint64_t alive = 0;
  for (const checkpoint_part& each : parts) alive += each.members->alive_at_home();
  const auto sums = world().allreduce(
      std::pair<std::uint64_t, std::uint64_t>(alive, share.members.size()),
      [](const auto& a, const auto& b) {
        return std::pair<std::uint64_t, std::uint64_t>(a.first + b.first, a.second + b.second);
      },
      where);
  if (sums.first == sums.second) return;
  throw error("checkpoint",
              std::to_string(sums.first) + " members are alive, but " +
                  std::to_string(sums.second) + " were found" + describe_place(where),
              "do not move or destroy members during the call");
}

void write_share(global::team_file& file, const rank_share& share, std::size_t content_at,
                 std::span<const part_description> descriptions,
                 std::span<const checkpoint_part> parts) {
  global::record_index_writer index(file);
  const auto place_in_index = [&](std::size_t part, std::size_t number) {
    return descriptions[part].index + number * sizeof(index_entry);
  };
  for (const rank_share::member& each : share.members) {
    index_entry entry{.offset = content_at + each.offset, .bytes = each.bytes};
    entry.check = global::check_of_record(
        each.part, each.number, entry, std::span(share.content).subspan(each.offset, each.bytes));
    index.add(place_in_index(each.part, each.number), entry);
  }
  index.flush();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const std::size_t number : parts[part].members->missing_at_home()) {
      index_entry none;
      none.check = global::check_of_record(part, number, none, {});
      index.add(place_in_index(part, number), none);
    }
    index.flush();
  }
  file.write(content_at, share.content);
}

}  // namespace

void write_checkpoint(std::span<const checkpoint_part> parts, const std::string& path,
                      const site& where) {
  runtime::require_job("checkpoint");
  if (path.empty()) throw error("checkpoint", "the file name is empty");
  global::common_call call("checkpoint", where);
  call.with_identity("the path", base::hash_bytes(path));
  for (const checkpoint_part& each : parts) {
    call.with_identity("the collections", each.members->identity());
  }
  global::require_same_call(world(), call);
  const runtime::failures_held until_all_have_come;
  drain(where);
  std::vector<const collection_state*> scope;
  std::vector<part_description> descriptions;
  for (const checkpoint_part& each : parts) {
    scope.push_back(each.members);
    descriptions.push_back(
        {.type = name_of(each.members->type()), .extents = each.members->extents()});
  }
  rank_share share;
  together("checkpoint", where, [&] { share = states_here(parts, scope); });
  require_all_members(parts, share, where);

  std::size_t end = global::end_of_description(serialized_size(descriptions));
  for (std::size_t part = 0; part < parts.size(); ++part) {
    descriptions[part].index = end;
    end += scope[part]->size() * sizeof(index_entry);
  }
  const std::size_t mine = share.content.size();
  const std::size_t content_at = end + world().exclusive_scan(mine, std::size_t{0}, {}, where);
  const std::uint64_t bytes = end + world().allreduce(mine, {}, where);
  global::team_file file = global::create_record_file(
      world(), path, file_kind, serialize(descriptions), bytes, "checkpoint", where);
  write_share(file, share, content_at, descriptions, parts);
  file.finish();
}

error checkpoint_reader::damaged(const std::string& what) const {
  return global::damaged_file(file_, what);
}

namespace {

const std::string& same_on_all(const std::string& path, std::span<const expected_part> expected,
                               const site& where) {
  global::common_call call("restore", where);
  call.with_identity("the path", base::hash_bytes(path));
  for (const expected_part& each : expected) {
    call.with_type("the members' type", *each.type->identity).with("dimensions", each.dimensions);
  }
  global::require_same_call(world(), call);
  return path;
}

}  // namespace

checkpoint_reader::checkpoint_reader(const std::string& path,
                                     std::span<const expected_part> expected, const site& where)
    : file_(global::team_file::open(world(), same_on_all(path, expected, where), "restore", where)),
      where_(where) {
  const runtime::failures_held until_all_have_come;
  together("restore", where, [&] {
    const std::vector<std::byte> description = global::read_description(file_, file_kind);
    reader from(description);
    from.read_into(parts_);
    bool fits = parts_.size() == expected.size();
    std::string holds;
    std::string wanted;
    for (const part_description& each : parts_) {
      holds +=
          (holds.empty() ? "" : ", ") + layout::extents_text(each.extents) + " of " + each.type;
    }
    for (std::size_t part = 0; part < expected.size(); ++part) {
      const std::string type = name_of(*expected[part].type);
      wanted += (wanted.empty() ? "" : ", ") + type + " in " +
                std::to_string(expected[part].dimensions) + "-d";
      fits = fits && parts_[part].type == type &&
             parts_[part].extents.size() == expected[part].dimensions;
    }
    if (!fits) {
      throw error(
          "restore",
          path + " holds other collections than requested: it has " + holds + ", and not " + wanted,
          "list the types of all collections of the file in restore<…>(), in their order");
    }
    for (const part_description& each : parts_) require_index(each);
  });
}

void checkpoint_reader::require_index(const part_description& part) const {
  const std::size_t end = file_.bytes();
  const std::size_t room = part.index > end ? 0 : (end - part.index) / sizeof(index_entry);
  const bool is_empty = std::ranges::find(part.extents, std::size_t{0}) != part.extents.end();
  std::size_t members = is_empty ? 0 : 1;
  for (const std::size_t extent : part.extents) {
    if (extent != 0 && members > room / extent) {
      throw damaged("it is too short for the index of " + layout::extents_text(part.extents) +
                    " of " + part.type);
    }
    members *= extent;
  }
}

struct checkpoint_reader::record {
  std::size_t number = 0;
  std::vector<link> links;
  std::vector<std::byte> state;
  bool is_alive = true;
};

checkpoint_reader::record checkpoint_reader::read_member(std::size_t part,
                                                         std::size_t number) const {
  const part_description& of = parts_[part];
  const auto here = [&] { return describe_member(of.type, number, of.extents); };
  record member{.number = number, .links = {}, .state = {}};
  const std::vector<std::byte> content = global::read_record(file_, of.index, part, number, here);
  if (content.empty()) {
    member.is_alive = false;
    return member;
  }
  try {
    reader from(content);
    from.read_into(member.links);
    from.read_into(member.state);
    from.expect_end();
  } catch (const error& failed) {
    throw damaged("the record of " + here() + " cannot be read: " + failed.problem());
  }
  return member;
}

namespace {

/// @param references  the only ones that the state may contain
[[nodiscard]] object_owner object_of(object_type& type, std::span<const std::byte> state,
                                     std::span<const gid> references) {
  credit_trail taken;
  try {
    reader from(state);
    object_owner object(type.load(from));
    object->type = &type;
    from.expect_end();
    if (taken.took_only(references)) return object;
    throw error("restore", "the state has a reference without a link");
  } catch (...) {
    taken.undo();
    throw;
  }
}

void call_hook(const collection_state& all, const restore_hook& hook) {
  for (const resident& each : all.residents()) {
    hosted_object* const object = pin(each.name);
    if (object == nullptr) continue;
    try {
      hook.call(*object);
    } catch (...) {
      unpin(*object);
      throw;
    }
    unpin(*object);
  }
}

}  // namespace

void checkpoint_reader::fill(std::span<const std::unique_ptr<collection_state>> all,
                             std::span<const restore_hook> hooks) {
  const runtime::failures_held until_all_have_come;
  for (const auto& each : all) each->take_names(where_);
  try {
    read_members(all);
    if (hooks.empty()) return;
    together("restore", where_, [&] {
      for (const restore_hook& each : hooks) call_hook(*all[each.part], each);
    });
  } catch (...) {
    for (const auto& each : all) each->end();
    throw;
  }
}

void checkpoint_reader::read_members(std::span<const std::unique_ptr<collection_state>> all) {
  std::vector<std::vector<gid>> taken(size());
  std::vector<std::vector<std::size_t>> mine;
  for (const auto& each : all) mine.push_back(each->share_out("restore"));
  together("restore", where_, [&] {
    for (std::size_t part = 0; part < all.size(); ++part) {
      object_type& type = all[part]->type();
      for (const std::size_t number : mine[part]) {
        record member = read_member(part, number);
        if (!member.is_alive) {
          all[part]->leave_out(number);
          continue;
        }
        try {
          const std::vector<gid> references = bind_names(member.state, member.links, all);
          all[part]->place(number, object_of(type, member.state, references));
          for (const gid& each : references) taken[each.home()].push_back(each);
        } catch (const std::exception& failed) {
          const auto* const ours = dynamic_cast<const error*>(&failed);
          throw damaged(describe_member(parts_[part].type, number, parts_[part].extents) +
                        " cannot be read: " + (ours != nullptr ? ours->problem() : failed.what()));
        }
      }
    }
  });
  for (const std::vector<gid>& come : world().alltoallv(taken, where_)) issue_credit(come);
  barrier(where_);
}

}  // namespace acre::agas
