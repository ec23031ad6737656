// SPDX-License-Identifier: BSD-3-Clause
// What a rank knows of a collection of objects: how a number becomes a name, without a table and
// without asking anybody.
//
// Each rank gives a collection as many slots of its directory as any rank needs, from the same one
// on everywhere. So a member's name is its home and its place there, which a pattern says. Members
// may be made, and go, wherever they like: their homes know.
#pragma once

#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/gid.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre::agas {

struct directory_entry;

/// A pattern whose type is forgotten: where members have their homes.
class member_homes {
 public:
  member_homes() = default;
  member_homes(const member_homes&) = delete;
  member_homes& operator=(const member_homes&) = delete;
  virtual ~member_homes() = default;
  [[nodiscard]] virtual layout::place place_of(std::size_t number) const noexcept = 0;
  [[nodiscard]] virtual std::size_t number_of(layout::place where) const noexcept = 0;
  [[nodiscard]] virtual std::size_t size_of(rank_t home) const noexcept = 0;
  [[nodiscard]] virtual std::size_t capacity() const noexcept = 0;
};

template <layout::pattern P>
class homes_by final : public member_homes {
 public:
  explicit homes_by(const P& pattern) noexcept : pattern_(pattern) {}
  [[nodiscard]] layout::place place_of(std::size_t number) const noexcept override {
    return pattern_.place_of(number);
  }
  [[nodiscard]] std::size_t number_of(layout::place where) const noexcept override {
    return pattern_.index_of(where);
  }
  [[nodiscard]] std::size_t size_of(rank_t home) const noexcept override {
    return pattern_.local_size(home);
  }
  [[nodiscard]] std::size_t capacity() const noexcept override { return pattern_.local_capacity(); }

 private:
  P pattern_;
};

struct collection_plan {
  object_type* type = nullptr;
  std::vector<std::size_t> extents;
  std::unique_ptr<const member_homes> homes;
  std::function<rank_t(std::size_t number)> owner_of;  ///< none: each is made at its home
};

/// A member, where it is now.
struct resident {
  std::size_t number = 0;
  gid name;
};

class collection_state {
 public:
  explicit collection_state(collection_plan plan);
  ~collection_state();
  collection_state(const collection_state&) = delete;
  collection_state& operator=(const collection_state&) = delete;

  [[nodiscard]] object_type& type() const noexcept { return *plan_.type; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<std::size_t>& extents() const noexcept { return plan_.extents; }

  /// l.
  [[nodiscard]] gid name_of(std::size_t number) const noexcept {
    const layout::place at = plan_.homes->place_of(number);
    return name_at(at.member, at.offset);
  }
  /// The name of all, which is that of slot 0 on rank 0, whether a member is there or not. l.
  [[nodiscard]] gid handle() const noexcept { return name_at(0, 0); }
  /// None, where it is not the name of a member. l.
  [[nodiscard]] std::optional<std::size_t> number_of(const gid& name) const noexcept;
  /// A number of its own, the same on all ranks, as long as it lives. l.
  [[nodiscard]] std::uint64_t identity() const noexcept {
    return mix_bits(handle().id() + (std::uint64_t{type_number_} << 48));
  }
  /// Whether it is the name of a member, or was.
  [[nodiscard]] bool has_slot(const gid& name) const noexcept {
    return name.slot() - first_slot_ < capacity_ && name.generation() == generation_;
  }

  /// The members that are on this rank now, by their numbers. Cost: those, and all objects that are
  /// here and were made elsewhere.
  [[nodiscard]] std::vector<resident> residents() const;
  /// Those members whose home this rank is, by where this rank believes them to be, and in the
  /// order of their places here.
  [[nodiscard]] std::vector<std::pair<rank_t, std::vector<gid>>> members_by_owner() const;
  /// How many members of this home there are still.
  [[nodiscard]] std::size_t alive_at_home() const;
  /// Those of which the home this was: they have been destroyed.
  [[nodiscard]] std::vector<std::size_t> missing_at_home() const;

  // --- collective over the job -------------------------------------------------------------

  /// Takes slots and makes the names; there are no objects yet. Cost: 2 allreduces, or none where
  /// an earlier collection has left its slots.
  void take_names(const site& where);
  /// The numbers of the members that this rank is to make; homes know then where each will be.
  /// Cost: an alltoallv where owners are no homes. @throws acre::error where an owner is no rank
  [[nodiscard]] std::vector<std::size_t> share_out(const char* call);
  /// A member is here now. l.
  void place(std::size_t number, object_owner object);
  /// A member does not exist. l, and M to its home, where that is another rank.
  void leave_out(std::size_t number);
  /// Makes all members. @throws on all ranks where one could not be made, or where ranks make
  /// different collections
  void populate(const char* call, const site& where,
                const std::function<object_owner(std::size_t number)>& make);
  /// Ends all members, wherever they are. No call is under way.
  void end() noexcept;
  /// The job has ended, and all members with it.
  void outlive_job() noexcept { has_outlived_job_ = true; }
  [[nodiscard]] bool has_outlived_job() const noexcept { return has_outlived_job_; }

 private:
  [[nodiscard]] gid name_at(rank_t home, std::size_t offset) const noexcept {
    return gid({.home = home,
                .type = type_number_,
                .is_movable = plan_.type->is_movable(),
                .is_counted = true,
                .slot = first_slot_ + static_cast<std::uint32_t>(offset),
                .generation = generation_});
  }

  /// The part of its construction that must be equal on all ranks.
  [[nodiscard]] global::common_call making(const char* call, const site& where) const;

  /// That of a member which is made.
  [[nodiscard]] directory_entry new_entry() const noexcept;

  collection_plan plan_;
  std::size_t size_ = 1;
  std::uint32_t capacity_ = 0;  ///< slots on each rank
  std::uint32_t first_slot_ = 0;
  std::uint32_t generation_ = 0;
  std::uint16_t type_number_ = 0;
  bool has_outlived_job_ = false;
};

/// A collection of this rank by its handle.
/// @throws acre::error when there is none, or it is of another type or other dimensions
[[nodiscard]] const collection_state& collection_of(const gid& handle, object_type& type,
                                                    std::size_t dimensions);

/// @throws acre::error when a pattern is not one of these extents over the ranks of the job
void check_pattern(std::span<const std::size_t> extents, std::size_t size,
                   layout::member_t members);

/// @throws acre::error  that the collection has no such index
[[noreturn]] void throw_no_such_index(const collection_state& all,
                                      std::span<const std::size_t> index);

}  // namespace acre::agas
