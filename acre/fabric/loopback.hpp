// SPDX-License-Identifier: BSD-3-Clause
// A conduit inside one process, for tests: it does what the contract of conduits allows and no
// network does often, and it loses peers when it is told to.
//
// A wire joins any number of these conduits. Faults are set on the wire at any time, by any
// thread; what chance decides follows from their seed.
//
// A mirror: when connect() is given a conduit's own descriptor for several ranks, a message to rank
// r comes back here as one from rank r, and a put to rank r lands in the own region. So a job of
// one process has a second node, which does what it does.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/fabric/conduit.hpp>
#include <acre/fabric/conduit_options.hpp>
#include <acre/fabric/library_session.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace acre::fabric {

class loopback;

/// What the conduits of a wire offer; see capabilities.
struct loopback_limits {
  std::size_t max_payload = 4096;
  std::size_t max_inject = 256;
  std::size_t max_transfer = SIZE_MAX;
  bool ordered_puts = false;
  bool messages_follow_puts = false;
  bool completes_by_flush = false;
  bool brings_memory = false;
  std::size_t transfers = 1024;  ///< under way from a conduit at once
  std::size_t messages = 1024;   ///< that wait for a conduit to take them
};

struct loopback_faults {
  std::uint64_t seed = 1;
  std::uint64_t refuse_every = 0;  ///< each n-th try_… finds no room; 0: none
  double refuse_share = 0;         ///< this share of all try_… finds none
  /// Data lands, operations complete and messages arrive up to so many rounds of progress() late.
  unsigned most_rounds_late = 0;
  bool any_order = false;  ///< as far as the limits allow; messages of one pair stay in order
  /// The share of messages of which one bit is another when they arrive: of the header, an argument
  /// or the payload. One whose length does not fit its header any more is refused, as elsewhere.
  double flip_share = 0;
  bool flips_headers_only = false;
  /// A network that has damaged a message, or refused one, may find out: then progress() throws
  /// after so many rounds. 0: it never does.
  std::uint64_t flips_found_after = 0;
};

/// How a rank is lost, which ends nothing else that is under way.
struct loopback_loss {
  enum class way {
    silent,           ///< operations to it never complete, and nobody says why
    refuses,          ///< try_… throws where the rank is the target
    breaks_progress,  ///< progress() and flush() throw, on all conduits of the wire
  };
  rank_t rank = 0;
  std::uint64_t after = 0;  ///< so many further operations to it are issued first
  way how = way::breaks_progress;
};

class loopback_wire final : public library_session {
 public:
  explicit loopback_wire(const loopback_limits& limits = {}) : limits_(limits) {}

  void set(const loopback_faults& faults);
  void lose(const loopback_loss& loss);
  /// Completes what was under way to the lost rank, as a network may that has reported the loss.
  /// @return how many operations
  std::size_t complete_late();

  /// How often conduits of this wire were asked for progress.
  [[nodiscard]] std::uint64_t polls() const;
  /// How many messages were damaged.
  [[nodiscard]] std::uint64_t flips() const;
  /// Operations of the lost rank that have not come to an end.
  [[nodiscard]] std::size_t stuck() const;

 private:
  friend class loopback;

  // All under the mutex.
  [[nodiscard]] bool refuses_now();
  [[nodiscard]] unsigned rounds_late();
  [[nodiscard]] std::size_t any_below(std::size_t bound);
  [[nodiscard]] bool is_lost(rank_t rank) const;
  void count_operation(rank_t target);
  [[nodiscard]] bool progress_breaks() const;
  [[nodiscard]] bool refuses(rank_t target) const;
  [[noreturn]] void report_loss() const;
  [[nodiscard]] bool flips_now();
  void require_no_flip_found() const;

  const loopback_limits limits_;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::vector<loopback*> ends_;  ///< by number; null: closed
  loopback_faults faults_;
  std::mt19937_64 chance_{1};
  std::optional<loopback_loss> loss_;
  std::uint64_t tries_ = 0;
  std::uint64_t polls_ = 0;
  std::uint64_t flips_ = 0;
  std::uint64_t polls_at_first_flip_ = 0;
};

class loopback final : public conduit {
 public:
  /// On the wire that is the session of the options, or on one of its own.
  explicit loopback(const conduit_options& options);
  ~loopback() override;

  [[nodiscard]] std::byte* bring_memory(std::size_t bytes) override;
  void register_region(region_key key, void* base, std::size_t bytes) override;
  [[nodiscard]] std::vector<std::byte> descriptor() const override;
  void connect(rank_t self, std::span<const std::vector<std::byte>> descriptors) override;

  [[nodiscard]] bool try_put(rank_t target, region_key key, std::uint64_t offset,
                             const void* source, std::size_t bytes) override;
  [[nodiscard]] bool try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                             std::size_t bytes) override;
  [[nodiscard]] bool try_put(rank_t target, region_key key, std::uint64_t offset,
                             const void* source, std::size_t bytes, operation& done) override;
  [[nodiscard]] bool try_get(rank_t target, region_key key, std::uint64_t offset, void* destination,
                             std::size_t bytes, operation& done) override;
  void flush() override;
  [[nodiscard]] bool try_send(rank_t target, const message_header& header, const word* arguments,
                              const void* payload) override;

  std::size_t progress(receiver& inbox) override;
  bool wait(std::uint32_t most_milliseconds) override;
  void wake() noexcept override;

 private:
  friend class loopback_wire;

  struct region {
    region_key key;
    std::byte* base;
    std::size_t bytes;
  };
  enum class direction { put, get };
  /// A put or get under way.
  struct transfer {
    direction way;
    rank_t target;
    std::byte* here;  ///< of a small put under way: null
    std::size_t bytes;
    operation* done = nullptr;  ///< null: only counted
    std::size_t end = 0;        ///< of the target on the wire
    std::byte* there = nullptr;
    std::vector<std::byte> copy = {};  ///< of a small put's source
    unsigned rounds = 0;               ///< until it lands, then until it is complete
    bool landed = false;
    bool complete = false;
  };
  struct letter {
    std::size_t from;  ///< its sender's end
    message_header header;
    std::vector<word> arguments;
    std::vector<std::byte> payload;
    std::uint64_t round;  ///< of the receiver, before which it is not there
  };

  [[nodiscard]] bool start(transfer begun, region_key key, std::uint64_t offset);
  void advance();
  void land(transfer& each) const;
  [[nodiscard]] std::vector<transfer> take_complete();
  void finish(const std::vector<transfer>& complete);
  [[nodiscard]] std::optional<letter> take_letter();
  [[nodiscard]] bool flip_a_bit(letter& sent) const;
  [[nodiscard]] std::byte* place(region_key key, std::uint64_t offset, std::size_t bytes) const;

  std::shared_ptr<loopback_wire> wire_;
  std::size_t number_ = 0;
  rank_t self_ = 0;
  std::vector<std::size_t> ends_of_ranks_;
  std::vector<region> regions_;
  std::span<std::byte> brought_;
  std::vector<transfer> under_way_;
  std::deque<letter> letters_;
  std::uint64_t round_ = 0;
  bool woken_ = false;
  spin_lock polling_;  ///< held by the thread that polls
};

}  // namespace acre::fabric
