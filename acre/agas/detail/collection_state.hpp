// SPDX-License-Identifier: BSD-3-Clause
// A rank's state of a collection.
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
  std::function<rank_t(std::size_t number)> owner_of;
};

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

  [[nodiscard]] gid name_of(std::size_t number) const noexcept {
    const layout::place at = plan_.homes->place_of(number);
    return name_at(at.member, at.offset);
  }
  /// Name of the first slot on rank 0, even without a member.
  [[nodiscard]] gid handle() const noexcept { return name_at(0, 0); }
  /// No value if the name is not a member's.
  [[nodiscard]] std::optional<std::size_t> number_of(const gid& name) const noexcept;
  /// Equal on all ranks, unique during its lifetime.
  [[nodiscard]] std::uint64_t identity() const noexcept {
    return mix_bits(handle().id() + (std::uint64_t{type_number_} << 48));
  }
  /// True if the name is a member's, even a destroyed one's.
  [[nodiscard]] bool has_slot(const gid& name) const noexcept {
    return name.slot() - first_slot_ < capacity_ && name.generation() == generation_;
  }

  /// Members on this rank. Cost: l per slot of the collection, and per migrated object here.
  [[nodiscard]] std::vector<resident> residents() const;
  /// Living members whose home is this rank, by presumed owner.
  [[nodiscard]] std::vector<std::pair<rank_t, std::vector<gid>>> members_by_owner() const;
  [[nodiscard]] std::size_t alive_at_home() const;
  [[nodiscard]] std::vector<std::size_t> missing_at_home() const;

  [[nodiscard]] bool is_home(rank_t of_members) const noexcept {
    return plan_.homes->size_of(of_members) != 0;
  }
  [[nodiscard]] std::size_t number_of_homes() const noexcept;

  // Collective:

  /// Reserves slots. Cost: 2 allreduces, or 0 if slots are reused.
  void take_names(const site& where);
  /// Determines owners; returns the numbers of the members that this rank makes. Cost: 1 allreduce;
  /// an alltoallv if owners are not homes.
  /// @throws acre::error on an invalid owner
  [[nodiscard]] std::vector<std::size_t> share_out(const char* call);
  void place(std::size_t number, object_owner object);
  void leave_out(std::size_t number);
  /// @throws an exception on all ranks if one member fails, or collections differ
  void populate(const char* call, const site& where,
                const std::function<object_owner(std::size_t number)>& make);
  /// Calls drain(), then ends the unpinned members.
  void end() noexcept;
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

  [[nodiscard]] global::common_call making(const char* call, const site& where) const;

  [[nodiscard]] directory_entry new_entry() const noexcept;

  collection_plan plan_;
  std::size_t size_ = 1;
  std::uint32_t capacity_ = 0;
  std::uint32_t first_slot_ = 0;
  std::uint32_t generation_ = 0;
  std::uint16_t type_number_ = 0;
  bool has_outlived_job_ = false;
};

/// @throws acre::error if unknown, or of another type or dimension
[[nodiscard]] const collection_state& collection_of(const gid& handle, object_type& type,
                                                    std::size_t dimensions);

void check_pattern(std::span<const std::size_t> extents, std::size_t size,
                   layout::member_t members);

/// @throws acre::error if the box exceeds the collection, or a step is 0
void require_section(const collection_state& all, std::span<const std::size_t> first,
                     std::span<const std::size_t> extents, std::span<const std::size_t> steps);

[[noreturn]] void throw_no_such_index(const collection_state& all,
                                      std::span<const std::size_t> index);

}  // namespace acre::agas
