// SPDX-License-Identifier: BSD-3-Clause
// Collectives in memory shared by a team's members on one node.
//
// Barrier: dissemination if each rank has a core; else a counter, so that each rank runs once per
// barrier.
//
// Data: in exchange number e a rank fills its slot e % 4; readers wait until the slot holds e, read
// in place, then set `done = e`. A slot is refilled when all members are done with it. Up to 56
// bytes share a cache line with the slot's number.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/detail/attendance.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace acre::global {

struct collective_caller {
  collective_kind kind;
  site where;
  attendance& here;
  std::uint64_t number;
  const char* call = nullptr;

  [[nodiscard]] const char* name() const noexcept { return call != nullptr ? call : name_of(kind); }
};

struct node_block;
struct member_lines;

class node_link {
 public:
  [[nodiscard]] static std::size_t block_bytes(std::size_t members) noexcept;

  static void format(std::byte* memory, std::size_t members);

  node_link() = default;

  node_link(std::byte* memory, std::vector<rank_t> members, rank_t place);

  void leave() noexcept;
  /// True if all ranks have left the block `memory`.
  [[nodiscard]] static bool abandoned(const std::byte* memory) noexcept;

  [[nodiscard]] rank_t size() const noexcept { return static_cast<rank_t>(members_.size()); }
  [[nodiscard]] rank_t place() const noexcept { return place_; }

  /// Reports a failed collective; the block is then unusable.
  void fail(const std::string& cause) noexcept;

  void barrier(const collective_caller& caller);

  /// Barrier; place 0 runs `between` after all have arrived, before any leaves.
  template <class Between>
  void barrier_around(const collective_caller& caller, Between&& between) {
    arrive(caller);
    if (place_ == 0) {
      await_arrivals(caller);
      between();
      release();
    } else {
      await_release(caller);
    }
  }

  [[nodiscard]] std::size_t slot_bytes() const noexcept { return slot_bytes_; }

  /// An exchange of data. All members make it at the same point, with equal `bytes`.
  class exchange {
   public:
    exchange(node_link& link, const collective_caller& caller, std::size_t bytes);
    ~exchange();
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;

    [[nodiscard]] std::byte* slot();
    void publish();
    void show(std::span<const std::byte> data);

    /// Waits for the data of the member at `place`. Once per member.
    const std::byte* read(rank_t place);

   private:
    node_link& link_;
    const collective_caller& call_;
    std::size_t bytes_;
    rank_t reads_ = 0;
  };

 private:
  template <class Ready, class Missing>
  void await_store(Ready&& ready, const collective_caller& caller, Missing&& missing) const;
  void check_usable(const collective_caller& caller) const;
  void arrive(const collective_caller& caller);
  void await_arrivals(const collective_caller& caller);
  void release() noexcept;
  void await_release(const collective_caller& caller);
  void disseminate(const collective_caller& caller);
  void await_readers(const collective_caller& caller);
  void wake_members() noexcept;
  [[noreturn]] void report_mismatch(const collective_caller& caller, std::size_t bytes,
                                    std::uint32_t label, rank_t place) const;
  /// At most 8 places that have not arrived. If all have: place 0, which releases the others.
  [[nodiscard]] std::vector<rank_t> missing_in_barrier() const;
  void join_barrier() noexcept;
  [[nodiscard]] std::byte* data_of(rank_t place, std::size_t bytes) const noexcept;

  node_block* block_ = nullptr;
  member_lines* lines_ = nullptr;
  std::byte* bulk_ = nullptr;
  std::size_t slot_bytes_ = 0;
  std::vector<rank_t> members_;
  rank_t place_ = 0;
  std::uint32_t barriers_ = 0;
  std::uint32_t exchanges_ = 0;
  std::uint32_t readers_done_ = 0;
};

}  // namespace acre::global
