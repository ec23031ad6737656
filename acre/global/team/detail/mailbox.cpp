// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/team/detail/mailbox.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/future/task.hpp>
#include <acre/global/team/detail/roll_call.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unistd.h>
#include <utility>

namespace acre::global {

// Message words: channel; total size, step and kind.
namespace {

using runtime::word;

constexpr unsigned size_bits = 40;

word pack(const envelope& name, std::size_t bytes) noexcept {
  return word{bytes} | word{name.step} << size_bits |
         word{static_cast<std::uint8_t>(name.kind)} << (size_bits + 16);
}

std::size_t unpack(const runtime::message& received, envelope& name) noexcept {
  const word packed = received.arguments[1];
  name = {.channel = received.arguments[0],
          .peer = received.header.source,
          .step = static_cast<std::uint16_t>(packed >> size_bits),
          .kind = static_cast<collective_kind>(packed >> (size_bits + 16))};
  return packed & ((word{1} << size_bits) - 1);
}

[[noreturn]] void report_overrun(const envelope& name) {
  throw error(name_of(name.kind),
              "a message from rank " + std::to_string(name.peer) + " exceeds its announced length",
              "the network lost or duplicated a part; set ACRE_OFI_PROVIDER to another provider");
}

void require_plausible(const envelope& name, std::size_t bytes) {
  constexpr std::size_t beyond_doubt = std::size_t{1} << 30;
  if (bytes <= beyond_doubt) return;
  const auto pages = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES));
  if (bytes / static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) <= pages) return;
  throw error(name_of(name.kind), "a message from rank " + std::to_string(name.peer) +
                                      " announces " + std::to_string(bytes) +
                                      " bytes, which exceeds this host's memory");
}

bool same_message(const envelope& a, const envelope& b) noexcept {
  return a.channel == b.channel && a.peer == b.peer && a.step == b.step;
}

}  // namespace

class mailbox {
 public:
  void post(incoming& wanted) {
    const std::lock_guard hold(lock_);
    transfer** place =
        find(wanted.here_.name, [](const transfer& t) { return t.owner == nullptr; });
    if (*place == nullptr) {
      *place = &wanted.here_;
      wanted.here_.owner = &wanted;
    } else if ((*place)->complete()) {
      const std::unique_ptr<transfer> kept(take(place));
      hand_over(*kept, wanted);
    } else {
      (*place)->owner = &wanted;
    }
  }

  void withdraw(incoming& wanted) noexcept {
    const std::lock_guard hold(lock_);
    if (wanted.done_) return;
    transfer** place =
        find(wanted.here_.name, [&](const transfer& t) { return t.owner == &wanted; });
    if (*place == &wanted.here_) {
      take(place);
    } else if (*place != nullptr) {
      (*place)->owner = nullptr;
    }
  }

  bool suspend(incoming& wanted, std::coroutine_handle<> waiting) noexcept {
    const std::lock_guard hold(lock_);
    if (wanted.done_) return false;
    wanted.waiting_ = waiting;
    return true;
  }

  void deliver(const runtime::message& received) {
    envelope name;
    const std::size_t bytes = unpack(received, name);
    const std::lock_guard hold(lock_);
    transfer** place = find(name, [](const transfer& t) { return !t.complete(); });
    if (*place == nullptr) {
      *place = new transfer;
      (*place)->name = name;
    }
    transfer& open = **place;
    if (!open.begun) {
      require_plausible(name, bytes);
      begin(open, name, bytes);
    }
    const std::span<const std::byte> piece = received.payload;
    if (piece.size() > open.bytes - open.arrived) report_overrun(name);
    if (!piece.empty() && open.data != nullptr) {
      std::memcpy(open.data + open.arrived, piece.data(), piece.size());
    }
    open.arrived += piece.size();
    if (!open.complete() || open.owner == nullptr) return;
    take(place);
    incoming& owner = *open.owner;
    if (&open == &owner.here_) {
      finish(owner);
    } else {
      const std::unique_ptr<transfer> kept(&open);
      hand_over(*kept, owner);
    }
  }

  template <class Ask>
  void ask_about_late(Ask&& ask) {
    std::array<envelope, 32> late;
    std::size_t count = 0;
    {
      const std::lock_guard hold(lock_);
      for (transfer* each : buckets_) {
        for (; each != nullptr && count < late.size(); each = each->next) {
          incoming* const owner = each->owner;
          if (owner == nullptr || each->begun || owner->here_.name.kind == collective_kind::job_end)
            continue;
          if (owner->asked_ || !is_look_to_ask(++owner->looks_)) continue;
          owner->asked_ = true;
          late[count++] = each->name;
        }
      }
    }
    for (const envelope& name : std::span(late).first(count)) {
      if (!ask(name)) answer(name.channel, name.peer, {});
    }
  }

  /// On a first problem, a receiver without data queries again, since the message may have been
  /// overtaken; a second is an error.
  void answer(std::uint64_t channel, rank_t peer, const std::string& problem) {
    const std::lock_guard hold(lock_);
    for (transfer*& bucket : buckets_) {
      for (transfer** link = &bucket; *link != nullptr;) {
        transfer& each = **link;
        incoming* const owner = each.owner;
        const bool is_meant = each.name.channel == channel && each.name.peer == peer &&
                              owner != nullptr && !each.begun && owner->asked_;
        if (is_meant) owner->asked_ = false;
        if (is_meant && !problem.empty() && std::exchange(owner->suspicious_, true)) {
          take(link);
          owner->problem_ = problem;
          finish(*owner);
        } else {
          if (is_meant && !problem.empty()) owner->looks_ = 0;
          link = &each.next;
        }
      }
    }
  }

  void clear() noexcept {
    for (transfer*& bucket : buckets_) {
      while (bucket != nullptr) {
        transfer* const left = take(&bucket);
        if (left->owner == nullptr || &left->owner->here_ != left) delete left;
      }
    }
  }

 private:
  template <class Fits>
  transfer** find(const envelope& name, Fits&& fits) noexcept {
    const std::uint64_t hash = mix_bits(name.channel ^ std::uint64_t{name.peer} << 32 ^ name.step);
    transfer** link = &buckets_[hash % buckets_.size()];
    while (*link != nullptr && !(same_message((*link)->name, name) && fits(**link))) {
      link = &(*link)->next;
    }
    return link;
  }

  static transfer* take(transfer** place) noexcept {
    transfer* const taken = *place;
    *place = std::exchange(taken->next, nullptr);
    return taken;
  }

  static void begin(transfer& opened, const envelope& name, std::size_t bytes) {
    incoming* const owner = opened.owner;
    if (owner != nullptr && mismatched(*owner, name, bytes)) {
      opened.data = nullptr;
    } else if (owner == nullptr || owner->any_size_) {
      opened.storage = owned_bytes(bytes);
      opened.data = opened.storage.data();
    }
    opened.bytes = bytes;
    opened.begun = true;
  }

  static bool mismatched(incoming& owner, const envelope& name, std::size_t bytes) noexcept {
    owner.mismatch_ =
        name.kind != owner.here_.name.kind || (!owner.any_size_ && bytes != owner.target_bytes_);
    owner.other_ = name;
    owner.other_bytes_ = bytes;
    return owner.mismatch_;
  }

  static void hand_over(transfer& kept, incoming& owner) noexcept {
    if (!mismatched(owner, kept.name, kept.bytes)) {
      if (owner.any_size_) {
        owner.here_.storage = std::move(kept.storage);
      } else if (kept.data != nullptr) {
        std::memcpy(owner.here_.data, kept.data, kept.bytes);
      }
    }
    finish(owner);
  }

  static void finish(incoming& owner) noexcept {
    owner.done_ = true;
    if (owner.waiting_) runtime::defer(owner);
  }

  static bool is_look_to_ask(std::uint32_t look) noexcept {
    return look < 16 ? std::has_single_bit(look) : look % 16 == 0;
  }

  spin_lock lock_;
  std::array<transfer*, 1024> buckets_{};
};

namespace {

/// Never destroyed: static objects may hold teams.
mailbox& the_mailbox() {
  static auto& made = *new mailbox;
  return made;
}

void ask_about_late_messages() {
  using clock = std::chrono::steady_clock;
  static constinit std::atomic<clock::rep> last{0};
  constexpr clock::duration between = std::chrono::milliseconds(40);
  const clock::rep now = clock::now().time_since_epoch().count();
  clock::rep before = last.load(std::memory_order_relaxed);
  if (now - before < between.count() || !last.compare_exchange_strong(before, now)) return;
  the_mailbox().ask_about_late(
      [](const envelope& name) { return ask_whether_it_comes(name.peer, name.channel); });
}

[[maybe_unused]] const bool mailbox_registered =
    runtime::set_builtin_handler(handler_ids::collective,
                                 [](const runtime::message& received, runtime::responder&) {
                                   the_mailbox().deliver(received);
                                 },
                                 {.arguments = 2}) &&
    runtime::set_builtin_handler(handler_ids::roll_call_answer,
                                 [](const runtime::message& received, runtime::responder&) {
                                   const heard_answer heard = take_answer(received);
                                   the_mailbox().answer(heard.channel, received.header.source,
                                                        heard.problem);
                                 },
                                 {.arguments = 5, .is_counted = false}) &&
    runtime::add_long_wait_hook(ask_about_late_messages);

}  // namespace

incoming::incoming(const envelope& name, std::span<std::byte> target)
    : any_size_(false), target_bytes_(target.size()) {
  here_.name = name;
  here_.data = target.data();
  post();
}

incoming::incoming(const envelope& name) : any_size_(true) {
  here_.name = name;
  post();
}

incoming::~incoming() {
  if (!resumed_) the_mailbox().withdraw(*this);
}

void incoming::post() {
  run = [](runtime::deferred_task& task) {
    run_chain(resume(static_cast<incoming&>(task).waiting_));
  };
  the_mailbox().post(*this);
}

bool incoming::await_suspend(std::coroutine_handle<> waiting) noexcept {
  return the_mailbox().suspend(*this, waiting);
}

owned_bytes incoming::await_resume() {
  resumed_ = true;
  if (mismatch_) report(mismatch());
  if (problem_) report(*problem_);
  return std::move(here_.storage);
}

void incoming::report(const std::string& problem) const {
  fail_collective_of(here_.name.channel, problem);
  throw error(name_of(here_.name.kind), problem, same_collectives);
}

std::string incoming::mismatch() const {
  const auto say = [](const envelope& name, std::size_t bytes, bool any_size) {
    return std::string(name_of(name.kind)) + (any_size || name.kind == collective_kind::call
                                                  ? ""
                                                  : " with " + std::to_string(bytes) + " bytes");
  };
  const std::string call = call_of_channel(here_.name.channel);
  return "rank " + std::to_string(runtime::world.rank) + " is in " +
         (call.empty() ? say(here_.name, target_bytes_, any_size_) : call) + ", but rank " +
         std::to_string(other_.peer) + " is in " + say(other_, other_bytes_, any_size_);
}

void post_message(const envelope& name, std::span<const std::byte> data) {
  const std::array<word, 2> words{name.channel, pack(name, data.size())};
  const std::size_t most = runtime::max_payload();
  do {
    const auto piece = data.first(std::min(most, data.size()));
    runtime::send(name.peer, handler_ids::collective, words, piece);
    data = data.subspan(piece.size());
  } while (!data.empty());
}

void clear_mailbox() noexcept { the_mailbox().clear(); }

}  // namespace acre::global
