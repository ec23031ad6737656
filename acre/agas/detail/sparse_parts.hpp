// SPDX-License-Identifier: BSD-3-Clause
// This rank's parts of sparse collections, by number.
#pragma once

#include <acre/agas/object_ref.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/container/hash.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace acre::agas {

class sparse_part_base {
 public:
  sparse_part_base() = default;
  sparse_part_base(const sparse_part_base&) = delete;
  sparse_part_base& operator=(const sparse_part_base&) = delete;
  virtual ~sparse_part_base() = default;
};

/// Adds a part, on all ranks in the same order.
/// @return number, equal on all ranks and never reused
[[nodiscard]] std::uint64_t add_sparse_part(std::unique_ptr<sparse_part_base> part);
void remove_sparse_part(std::uint64_t number) noexcept;
/// Calls drain() first. Collective.
void end_sparse_part(std::uint64_t number) noexcept;
/// @throws acre::error if unknown or ended
[[nodiscard]] sparse_part_base& sparse_part_of(std::uint64_t number);

[[noreturn]] void throw_no_sparse_member(const char* call);

/// Members with this home. References are dropped without the lock.
template <class T, class Index>
class sparse_part final : public sparse_part_base {
 public:
  [[nodiscard]] bool contains(const Index& index) const {
    const std::lock_guard hold(lock_);
    return members_.contains(index);
  }
  [[nodiscard]] std::size_t size() const noexcept {
    const std::lock_guard hold(lock_);
    return members_.size();
  }
  [[nodiscard]] bool add(const Index& index, object_ref<T> member) {
    const std::lock_guard hold(lock_);
    return members_.try_emplace(index, std::move(member)).second;
  }
  [[nodiscard]] object_ref<T> remove(const Index& index) {
    object_ref<T> removed;
    const std::lock_guard hold(lock_);
    const auto found = members_.find(index);
    if (found == members_.end()) return removed;
    removed = std::move(found->second);
    members_.erase(found);
    return removed;
  }
  [[nodiscard]] object_ref<T> find(const Index& index) const {
    const std::lock_guard hold(lock_);
    const auto found = members_.find(index);
    return found == members_.end() ? object_ref<T>() : found->second;
  }
  /// Sorted by hash: independent of insertion order.
  [[nodiscard]] std::vector<std::pair<Index, object_ref<T>>> all() const {
    std::vector<std::pair<Index, object_ref<T>>> members;
    {
      const std::lock_guard hold(lock_);
      members.assign(members_.begin(), members_.end());
    }
    std::ranges::sort(members, {}, [](const auto& each) { return hash<Index>()(each.first); });
    return members;
  }

 private:
  struct index_hash {
    [[nodiscard]] std::size_t operator()(const Index& index) const { return hash<Index>()(index); }
  };

  mutable spin_lock lock_;
  std::unordered_map<Index, object_ref<T>, index_hash> members_;
};

}  // namespace acre::agas
