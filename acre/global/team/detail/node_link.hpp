// SPDX-License-Identifier: BSD-3-Clause
// Collectives through shared memory: one rank's side of the block that the
// members of a team on one node share.
//
// The barrier among n ranks with a core each is a dissemination barrier: in
// round k a rank sets a flag in the lines of the rank 2^k places further on, so
// log2(n) cache lines travel to each rank, one after the other. Ranks that share
// cores take a counter instead: each of them has to run only once per barrier.
//
// Data travels through slots. In each exchange (number e) a rank may fill its
// slot e % 4; others wait until that slot says e and read it in place. At the
// end of an exchange a rank says `done = e`; nobody fills a slot before all are
// done with what it held. Up to 56 bytes lie in the cache line that says e, so
// one line travels from a rank to each reader; more lie in a bulk area.
// A rank waits only for whom it reads from, and every fourth time for readers.
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

/// Which collective waits, and where the user called it.
struct collective_caller {
  collective_kind kind;
  site where;
  attendance& here;
  std::uint64_t number;
  const char* call = nullptr;  ///< of which the collective is a part

  [[nodiscard]] const char* name() const noexcept { return call != nullptr ? call : name_of(kind); }
};

struct node_block;
struct member_lines;

class node_link {
 public:
  /// The size of the block for `members` ranks.
  [[nodiscard]] static std::size_t block_bytes(std::size_t members) noexcept;

  /// Prepares a block for use; by one of the members.
  static void format(std::byte* memory, std::size_t members);

  node_link() = default;

  /// @param members the world ranks that share the block, this one at `place`
  node_link(std::byte* memory, std::vector<rank_t> members, rank_t place);

  /// Says that this rank will not touch the block again.
  void leave() noexcept;
  /// Whether nobody will touch that block again.
  [[nodiscard]] static bool abandoned(const std::byte* memory) noexcept;

  [[nodiscard]] rank_t size() const noexcept { return static_cast<rank_t>(members_.size()); }
  [[nodiscard]] rank_t place() const noexcept { return place_; }

  /// Says to all members that a collective has failed here, and why: what it left in the block is
  /// of no more use.
  void fail(const std::string& cause) noexcept;

  // --- barrier ---------------------------------------------------------------
  // A full memory fence stands between what comes before and after.

  void barrier(const collective_caller& caller);

  /// The two halves of a barrier with `between` run by the rank in place 0 when
  /// all have arrived, before any leaves.
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

  // --- data ------------------------------------------------------------------

  /// The most that a slot holds.
  [[nodiscard]] std::size_t slot_bytes() const noexcept { return slot_bytes_; }

  /// One exchange; every member makes one, of the same size, at the same point.
  class exchange {
   public:
    exchange(node_link& link, const collective_caller& caller, std::size_t bytes);
    ~exchange();
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;

    /// Where this rank's bytes go; publish() shows them. Waits for readers of what was there.
    [[nodiscard]] std::byte* slot();
    void publish();
    /// Both, with these bytes.
    void show(std::span<const std::byte> data);

    /// What a member published; waits for it. At most once for each member.
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
  /// Those who have not come to the barrier in which this rank is; the rank in place 0 when all
  /// have.
  [[nodiscard]] std::vector<rank_t> missing_in_barrier() const;
  void take_part_in_barrier() noexcept;
  [[nodiscard]] std::byte* data_of(rank_t place, std::size_t bytes) const noexcept;

  node_block* block_ = nullptr;
  member_lines* lines_ = nullptr;
  std::byte* bulk_ = nullptr;
  std::size_t slot_bytes_ = 0;
  std::vector<rank_t> members_;
  rank_t place_ = 0;
  std::uint32_t barriers_ = 0;
  std::uint32_t exchanges_ = 0;
  std::uint32_t readers_done_ = 0;  ///< the last exchange known to be over on all members
};

}  // namespace acre::global
