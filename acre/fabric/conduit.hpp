// SPDX-License-Identifier: BSD-3-Clause
// Interface to a network: puts and gets on registered regions, and active messages. Runs no user
// code and blocks only in flush() and wait(): without room, try_… returns false, and the runtime
// retries after progress.
//
// A port implements the pure virtual functions, is listed in open_conduit.cpp, and passes
// conformance_test.hpp. Life cycle: constructor → [bring_memory] → register_region → descriptor →
// [exchange] → connect → use by any thread → barrier → destructor.
#pragma once

#include <acre/fabric/direct_line.hpp>
#include <acre/fabric/message.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acre::fabric {

/// Minimum of max_transfer, in bytes.
inline constexpr std::size_t least_max_transfer = 1024;

struct capabilities {
  std::string name;
  std::size_t max_payload = 0;  ///< bytes per active message
  /// Puts up to this size free the source at once; at least direct_line::smallest_inject.
  std::size_t max_inject = 0;
  /// Maximum of a put, get or contiguous run; at least least_max_transfer and max_inject. The
  /// runtime splits larger ones.
  std::size_t max_transfer = SIZE_MAX;
  bool ordered_puts = false;  ///< puts between two ranks arrive in order
  /// Messages arrive after earlier puts of their rank.
  bool messages_follow_puts = false;
  bool sleeps = false;      ///< wait() sleeps until an event
  bool pins_memory = true;  ///< registered pages must stay resident
  /// The target's processor serves gets, at the cost of a message.
  bool software_gets = false;
  /// Only flush() reliably completes puts and gets.
  bool completes_by_flush = false;
  /// Regions must reside in memory from bring_memory(). Each rank then forms a node of its own.
  bool brings_memory = false;
};

/// `complete` runs in any polling thread when the data is in place (put: at the target; get: here).
/// It must be short, not throw, not call the conduit.
struct operation {
  void (*complete)(operation&) noexcept = nullptr;
  /// For the conduit's use; fits fi_context2.
  void* reserved[8] = {};
};

class conduit {
 public:
  /// @param line  for the conduit's fast paths; null: its own line. By default they call the
  /// virtual functions
  explicit conduit(direct_line* line) noexcept;
  conduit(const conduit&) = delete;
  conduit& operator=(const conduit&) = delete;
  /// Pending operations never complete.
  virtual ~conduit();

  [[nodiscard]] direct_line& line() const noexcept { return line_; }

  [[nodiscard]] const capabilities& offers() const noexcept { return offers_; }

  /// If `brings_memory`: zeroed, page-aligned memory for the conduit's lifetime. Collective, once,
  /// before register_region().
  /// @throws acre::error if too little
  [[nodiscard]] virtual std::byte* bring_memory(std::size_t bytes);

  /// Exposes [base, base + bytes) to all ranks as (key, offset), before descriptor().
  virtual void register_region(region_key key, void* base, std::size_t bytes) = 0;

  [[nodiscard]] virtual std::vector<std::byte> descriptor() const = 0;

  /// Values that must agree on all ranks; compared before connect().
  using facts = std::vector<std::pair<std::string, std::string>>;
  [[nodiscard]] virtual facts must_be_alike() const;

  [[nodiscard]] virtual std::string how_to_agree() const;

  /// descriptors[r] belongs to rank r.
  virtual void connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) = 0;

  // Counted one-sided operations, at most max_transfer bytes. They return false without room: retry
  // after progress. Success increases issued(); the numbers of the line (direct_line.hpp) follow
  // when the data is in place.

  /// `source` is free on return up to max_inject bytes, else on completion.
  /// @throws acre::error if the target is unreachable, as do all of these
  [[nodiscard]] virtual bool try_put(rank_t target, region_key key, std::uint64_t offset,
                                     const void* source, std::size_t bytes) = 0;

  [[nodiscard]] virtual bool try_get(rank_t target, region_key key, std::uint64_t offset,
                                     void* destination, std::size_t bytes) = 0;

  [[nodiscard]] std::uint64_t issued() const noexcept {
    return line_.issued.load(std::memory_order_acquire);
  }

  /// Number of completed puts; equal to issued() if gets are complete too. Does not poll.
  [[nodiscard]] std::uint64_t completed() const noexcept {
    return line_.completed.load(std::memory_order_acquire);
  }

  /// Handles a put that the direct line rejected with `result`: subtracts it from issued().
  /// @return false: no room
  /// @throws acre::error if the failure is permanent
  virtual bool refused(ssize_t result, rank_t target);

  // As above, with a callback on completion.

  [[nodiscard]] virtual bool try_put(rank_t target, region_key key, std::uint64_t offset,
                                     const void* source, std::size_t bytes, operation& done) = 0;

  [[nodiscard]] virtual bool try_get(rank_t target, region_key key, std::uint64_t offset,
                                     void* destination, std::size_t bytes, operation& done) = 0;

  /// If messages_follow_puts: a put that precedes this rank's later messages to the target. `sent`
  /// may complete as soon as the source is free.
  [[nodiscard]] virtual bool try_put_ahead(rank_t target, region_key key, std::uint64_t offset,
                                           const void* source, std::size_t bytes, operation& sent);

  // Counted strided operations: issue runs of a box from run `first_run` on. `offset` and the local
  // address are those of the box's first byte. Return the number of runs issued; 0: no room.

  [[nodiscard]] virtual std::size_t try_put_box(rank_t target, region_key key, std::uint64_t offset,
                                                const void* source, const box& shape,
                                                std::size_t first_run);
  [[nodiscard]] virtual std::size_t try_get_box(rank_t target, region_key key, std::uint64_t offset,
                                                void* destination, const box& shape,
                                                std::size_t first_run);

  /// Completes all one-sided operations issued before by any thread of the rank. May block. Called
  /// only with operations pending.
  /// @throws acre::error if a peer is lost
  virtual void flush();

  /// Sends a message, copied before return, with at most max_payload bytes of payload;
  /// header.source is this rank. Messages between two ranks stay in order. False: no room.
  [[nodiscard]] virtual bool try_send(rank_t target, const message_header& header,
                                      const word* arguments, const void* payload) = 0;

  /// Completes operations, delivers messages to `inbox`, serves the provider. Other threads return
  /// 0 meanwhile.
  /// @return messages and completions handled
  /// @throws acre::error if a peer is lost or the provider fails
  virtual std::size_t progress(receiver& inbox) = 0;

  /// Sleeps until traffic, wake() or timeout; briefly if another thread polls.
  /// @return true if there was traffic; a conduit that sleeps on a timer may miss it
  virtual bool wait(std::uint32_t most_milliseconds) = 0;

  virtual void wake() noexcept = 0;

  /// Sets close-on-exec on descriptors that the library opened after the constructor. Called at job
  /// start and before fork().
  virtual void close_on_exec() {}

 protected:
  [[nodiscard]] capabilities& offer() noexcept { return offers_; }

  // Counting for conduits that keep the default counters.
  void count_issued() noexcept { line_.issued.fetch_add(1, std::memory_order_acq_rel); }
  void count_completed(std::uint64_t puts, std::uint64_t gets) noexcept;

 private:
  static ssize_t put_virtually(void* end, const void* source, std::size_t bytes, void* spare,
                               std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                               void* context) noexcept;
  static std::uint64_t read_virtually(void* counter) noexcept;
  static std::uint64_t read_gets_virtually(void* counter) noexcept;
  static ssize_t send_virtually(void* sender, void* message, std::size_t bytes,
                                std::uint64_t target) noexcept;

  direct_line own_line_;
  direct_line& line_;
  std::atomic<std::uint64_t> completions_{0};
  std::atomic<std::uint64_t> completed_gets_{0};
  capabilities offers_;
};

}  // namespace acre::fabric
