// SPDX-License-Identifier: BSD-3-Clause
// In-process conduit for tests: provokes rare but legal behaviour, and loses peers.
//
// A wire connects conduits; any thread may set its faults, which depend on a seed. A descriptor
// shared by several ranks makes a mirror, which emulates a second node: a message to rank r arrives
// here as from rank r, and a put reaches this rank's own region.
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

struct loopback_limits {
  std::size_t max_payload = 4096;
  std::size_t max_inject = 256;
  std::size_t max_transfer = SIZE_MAX;
  bool ordered_puts = false;
  bool messages_follow_puts = false;
  bool completes_by_flush = false;
  bool brings_memory = false;
  std::size_t transfers = 1024;
  std::size_t messages = 1024;
};

struct loopback_faults {
  std::uint64_t seed = 1;
  std::uint64_t refuse_every = 0;  ///< every n-th try_… call fails; 0: never
  double refuse_share = 0;         ///< probability that a try_… call fails
  /// Maximum delay in rounds of progress().
  unsigned most_rounds_late = 0;
  bool any_order = false;  ///< reorders operations; messages of a pair stay ordered
  /// Probability that a bit of a message is flipped. Dropped if its length no longer fits.
  double flip_share = 0;
  bool flips_headers_only = false;
  /// progress() throws this many rounds after the first flip; 0: never.
  std::uint64_t flips_found_after = 0;
};

struct loopback_loss {
  enum class way {
    silent,
    refuses,
    breaks_progress,  ///< progress() and flush() throw on all conduits
  };
  rank_t rank = 0;
  std::uint64_t after = 0;
  way how = way::breaks_progress;
};

class loopback_wire final : public library_session {
 public:
  explicit loopback_wire(const loopback_limits& limits = {}) : limits_(limits) {}

  void set(const loopback_faults& faults);
  void lose(const loopback_loss& loss);
  std::size_t complete_late();

  [[nodiscard]] std::uint64_t polls() const;
  [[nodiscard]] std::uint64_t flips() const;
  [[nodiscard]] std::size_t stuck() const;

 private:
  friend class loopback;

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
  std::vector<loopback*> ends_;
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
  struct transfer {
    direction way;
    rank_t target;
    std::byte* here;
    std::size_t bytes;
    operation* done = nullptr;
    std::size_t end = 0;
    std::byte* there = nullptr;
    std::vector<std::byte> copy = {};
    unsigned rounds = 0;
    bool landed = false;
    bool complete = false;
  };
  struct sent_message {
    std::size_t from;
    message_header header;
    std::vector<word> arguments;
    std::vector<std::byte> payload;
    std::uint64_t round;
  };

  [[nodiscard]] bool start(transfer begun, region_key key, std::uint64_t offset);
  void advance();
  void land(transfer& each) const;
  [[nodiscard]] std::vector<transfer> pop_complete();
  void finish(const std::vector<transfer>& complete);
  [[nodiscard]] std::optional<sent_message> pop_message();
  [[nodiscard]] bool flip_a_bit(sent_message& sent) const;
  [[nodiscard]] std::byte* place(region_key key, std::uint64_t offset, std::size_t bytes) const;

  std::shared_ptr<loopback_wire> wire_;
  std::size_t number_ = 0;
  rank_t self_ = 0;
  std::vector<std::size_t> ends_of_ranks_;
  std::vector<region> regions_;
  std::span<std::byte> brought_;
  std::vector<transfer> under_way_;
  std::deque<sent_message> messages_;
  std::uint64_t round_ = 0;
  bool woken_ = false;
  spin_lock polling_;
};

}  // namespace acre::fabric
