// SPDX-License-Identifier: BSD-3-Clause
// What a network must offer to carry Acre, and nothing more.
//
// A conduit moves bytes between nodes: one-sided puts and gets into regions
// that were registered under a key of our choice, and active messages. It
// never waits (but in flush()), never runs user code and never decides policy:
// when it cannot go on it says so (`try_…` returns false), and the runtime makes
// progress and asks again. To port Acre to a new network, implement the virtual
// functions of this class that have no body here, add a line to the table in
// open_conduit.cpp, and let conformance_test.hpp hold it.
//
// Life of a conduit: open (the constructor of the implementation) →
// [bring_memory] → register_region → descriptor → [the runtime exchanges
// descriptors] → connect → use, by any thread → close (the destructor, after a
// barrier).
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

/// Every conduit puts and gets so many bytes at once.
inline constexpr std::size_t least_max_transfer = 1024;

/// What an opened conduit can do.
struct capabilities {
  std::string name;             ///< for people: "ofi tcp;ofi_rxm 117.0"
  std::size_t max_payload = 0;  ///< bytes of payload that one active message carries
  /// Puts up to this size leave the source buffer free at once; at least
  /// direct_line::smallest_inject.
  std::size_t max_inject = 0;
  /// The most bytes of one put or get, or of one run of a box; at least least_max_transfer and
  /// max_inject. Larger ones the runtime splits.
  std::size_t max_transfer = SIZE_MAX;
  bool ordered_puts = false;  ///< puts of one rank to one other arrive in the order of issue
  /// Messages arrive after the puts that the same rank issued before.
  bool messages_follow_puts = false;
  bool sleeps = false;      ///< wait() sleeps until something happens, not just for a while
  bool pins_memory = true;  ///< pages of a registered region must not be given back
  /// Puts and gets are complete only after a flush(): progress() alone completes none for certain.
  bool completes_by_flush = false;
  /// Regions must lie in memory that bring_memory() returned. Then no rank maps another's: each is
  /// a node of its own.
  bool brings_memory = false;
};

/// One operation with a completion of its own. It must outlive the operation.
/// When the data is in place (a put's at the target, a get's here) the conduit
/// calls `complete`, from whatever thread polls: it must be short, must not
/// throw, and must not call the conduit.
struct operation {
  void (*complete)(operation&) noexcept = nullptr;
  /// Free for the conduit between issue and completion (libfabric's fi_context2 fits).
  void* reserved[8] = {};
};

class conduit {
 public:
  /// @param line  where its direct line shall be; null: in the conduit itself. Until the
  ///              implementation puts others there, its functions go through the virtual ones.
  explicit conduit(direct_line* line) noexcept;
  conduit(const conduit&) = delete;
  conduit& operator=(const conduit&) = delete;
  /// What has not come to an end never will: nothing is under way any more.
  virtual ~conduit();

  [[nodiscard]] direct_line& line() const noexcept { return line_; }

  [[nodiscard]] const capabilities& offers() const noexcept { return offers_; }

  // --- setting up -----------------------------------------------------------

  /// Where `brings_memory`: memory of this rank, zeroed, aligned to pages, as long as the conduit
  /// lives. The runtime calls it once, on all ranks with the same size, before register_region().
  /// @throws acre::error when there is not so much
  [[nodiscard]] virtual std::byte* bring_memory(std::size_t bytes);

  /// Lets all ranks read and write [base, base + bytes) as (key, offset).
  /// Call it on every rank, before descriptor().
  virtual void register_region(region_key key, void* base, std::size_t bytes) = 0;

  /// What other ranks must know of this one (address; keys where the provider insists).
  [[nodiscard]] virtual std::vector<std::byte> descriptor() const = 0;

  /// Names and values of what must be alike on all ranks, or they would not understand each other:
  /// the runtime compares them before connect(), and names the first that differs.
  using facts = std::vector<std::pair<std::string, std::string>>;
  [[nodiscard]] virtual facts must_be_alike() const;

  /// Advice in the error for facts that differ: the settings that choose the network.
  [[nodiscard]] virtual std::string how_to_agree() const;

  /// Makes all ranks reachable; `descriptors[r]` is rank r's, all of one size or not.
  virtual void connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) = 0;

  // --- one-sided, counted ---------------------------------------------------
  // These return false when the provider has no room: make progress, try again.
  // Every success adds one (or more) to issued(); completed() reaches that
  // number when the data is in place: a put's in the target's memory.
  // No transfer is larger than max_transfer.

  /// Up to max_inject bytes: `source` is free at return. Larger: once completed.
  /// @throws acre::error, as all of these do, when the target cannot be reached
  [[nodiscard]] virtual bool try_put(rank_t target, region_key key, std::uint64_t offset,
                                     const void* source, std::size_t bytes) = 0;

  [[nodiscard]] virtual bool try_get(rank_t target, region_key key, std::uint64_t offset,
                                     void* destination, std::size_t bytes) = 0;

  /// The number of counted operations issued so far, by all threads.
  [[nodiscard]] std::uint64_t issued() const noexcept {
    return line_.issued.load(std::memory_order_acquire);
  }

  /// The number of counted operations completed so far. It does not poll.
  [[nodiscard]] std::uint64_t completed() const noexcept {
    return line_.completed.load(std::memory_order_acquire);
  }

  /// Takes back the count of an operation that the provider did not take.
  /// @param result  what the direct line's function said
  /// @return false: there was no room
  /// @throws acre::error when there will never be
  virtual bool refused(ssize_t result, rank_t target);

  // --- one-sided, with a completion of its own ------------------------------
  // They are counted too. A small put's source is free at return as well.

  [[nodiscard]] virtual bool try_put(rank_t target, region_key key, std::uint64_t offset,
                                     const void* source, std::size_t bytes, operation& done) = 0;

  [[nodiscard]] virtual bool try_get(rank_t target, region_key key, std::uint64_t offset,
                                     void* destination, std::size_t bytes, operation& done) = 0;

  /// Where messages_follow_puts: a put that is in place when a message that this rank sends to the
  /// same target afterwards is delivered. Nobody has to say so: `sent` is complete, at the latest
  /// then, when the source is free.
  [[nodiscard]] virtual bool try_put_ahead(rank_t target, region_key key, std::uint64_t offset,
                                           const void* source, std::size_t bytes, operation& sent);

  // --- one-sided, strided, counted ------------------------------------------
  // Runs of a box, from number `first_run` on, as many as there is room for.
  // `offset` and the local address are those of the box's first byte. They return
  // how many runs were issued; 0: no room now. Here each run is a put or a get of
  // its own; a network that takes several at once has better ways.

  [[nodiscard]] virtual std::size_t try_put_box(rank_t target, region_key key, std::uint64_t offset,
                                                const void* source, const box& shape,
                                                std::size_t first_run);
  [[nodiscard]] virtual std::size_t try_get_box(rank_t target, region_key key, std::uint64_t offset,
                                                void* destination, const box& shape,
                                                std::size_t first_run);

  /// Completes all one-sided operations that this rank issued before, by any thread, those with
  /// completions of their own included. It may take as long as the network takes. The rank's own
  /// threads call it while something is under way; others never do.
  /// @throws acre::error when a peer is lost, as progress() does then
  virtual void flush();

  // --- active messages ------------------------------------------------------

  /// Sends header, whose source is this rank, arguments and payload (at most max_payload bytes),
  /// all copied before it returns. Messages from one rank to another arrive in the order of
  /// sending. False: no room now.
  [[nodiscard]] virtual bool try_send(rank_t target, const message_header& header,
                                      const word* arguments, const void* payload) = 0;

  // --- progress -------------------------------------------------------------

  /// Moves things on: completes operations, delivers messages to `inbox`,
  /// serves what the provider asks of this rank. Any thread; at once by one.
  /// @return how many messages and completions were handled
  /// @throws acre::error when a peer is lost or the provider fails
  virtual std::size_t progress(receiver& inbox) = 0;

  /// Sleeps until there may be something to do, until wake(), or for so long; a moment only
  /// where another thread polls.
  /// @return whether there was traffic; a conduit that sleeps by the clock never says so
  virtual bool wait(std::uint32_t most_milliseconds) = 0;

  /// Ends a wait() of another thread.
  virtual void wake() noexcept = 0;

  /// Programs that this process starts from now on get none of the descriptors that the network's
  /// library has opened by now. Called before fork(); what has been opened when the conduit has is
  /// seen to by who opens it.
  virtual void close_on_exec() {}

 protected:
  /// What the implementation fills in when it opens.
  [[nodiscard]] capabilities& offer() noexcept { return offers_; }

  // How a conduit counts that leaves line().read as it is.
  void count_issued() noexcept { line_.issued.fetch_add(1, std::memory_order_acq_rel); }
  void count_completed(std::uint64_t operations) noexcept;

 private:
  static ssize_t put_virtually(void* end, const void* source, std::size_t bytes, void* spare,
                               std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                               void* context) noexcept;
  static std::uint64_t read_virtually(void* counter) noexcept;
  static ssize_t send_virtually(void* end, const void* message, std::size_t bytes,
                                std::uint64_t target) noexcept;

  direct_line own_line_;
  direct_line& line_;
  std::atomic<std::uint64_t> completions_{0};
  capabilities offers_;
};

}  // namespace acre::fabric
