#include <acre/global/detail/mailbox.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/task.hpp>
#include <acre/runtime/active_message.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

namespace acre::detail {

const char* name_of(collective_kind kind) noexcept {
  static constexpr const char* names[] = {
      "none", "team::split", "barrier",   "broadcast", "reduce", "allreduce",
      "scan", "gather",      "allgather", "alltoall",  "drain",  "the end of the job"};
  static_assert(std::size(names) == static_cast<std::size_t>(collective_kind::count_));
  return kind < collective_kind::count_ ? names[static_cast<std::size_t>(kind)] : "unknown";
}

// A message's words: the channel; total size, step and kind.
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
              "a message from rank " + std::to_string(name.peer) + " is longer than it said",
              "the network has lost or doubled a part of it; try another ACRE_OFI_PROVIDER");
}

bool same_message(const envelope& a, const envelope& b) noexcept {
  return a.channel == b.channel && a.peer == b.peer && a.step == b.step;
}

}  // namespace

/// All transfers by envelope: in a bucket, those of one envelope are first in, first out.
class mailbox {
 public:
  /// Takes the completed message, joins the one under way, or waits for one to come.
  void post(incoming& wanted) {
    const std::lock_guard hold(lock_);
    if (never_comes(wanted.here_.name)) {
      mismatched(wanted, *end_, 0);
      finish(wanted);
      return;
    }
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

  /// The owner gives up, or has its message.
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

  /// Whether it must wait: then `waiting` is resumed by progress() when it is done.
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
    if (name.kind == collective_kind::job_end) note_end(name);
    transfer** place = find(name, [](const transfer& t) { return !t.complete(); });
    if (*place == nullptr) {
      *place = new transfer;
      (*place)->name = name;
    }
    transfer& open = **place;
    if (!open.begun) begin(open, name, bytes);
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

  void clear() noexcept {
    for (transfer*& bucket : buckets_) {
      while (bucket != nullptr) {
        transfer* const left = take(&bucket);
        if (left->owner == nullptr || &left->owner->here_ != left) delete left;
      }
    }
    end_.reset();
  }

 private:
  /// The link to the first transfer of that name that `fits`, or the end of its bucket.
  template <class Fits>
  transfer** find(const envelope& name, Fits&& fits) noexcept {
    const std::uint64_t hash = mix_bits(name.channel ^ std::uint64_t{name.peer} << 32 ^ name.step);
    transfer** link = &buckets_[hash % buckets_.size()];
    while (*link != nullptr && !(same_message((*link)->name, name) && fits(**link))) {
      link = &(*link)->next;
    }
    return link;
  }

  /// Whether a member of the team has ended its job before it came to that collective.
  [[nodiscard]] bool never_comes(const envelope& name) const noexcept {
    if (!end_ || name.kind == collective_kind::job_end) return false;
    if (name.channel >> channel_bits != end_->channel >> channel_bits) return false;
    return static_cast<std::int16_t>(name.channel - end_->channel) >= 0;
  }

  /// A member has ended its job: those who wait for what never comes hear of it.
  void note_end(const envelope& name) noexcept {
    if (!end_) end_ = name;
    for (transfer*& bucket : buckets_) {
      for (transfer** link = &bucket; *link != nullptr;) {
        incoming* const owner = (*link)->owner;
        if (owner == nullptr || !never_comes(owner->here_.name)) {
          link = &(*link)->next;
          continue;
        }
        transfer* const open = take(link);
        if (open != &owner->here_) delete open;
        mismatched(*owner, name, 0);
        finish(*owner);
      }
    }
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

  static constexpr unsigned channel_bits = 16;  ///< the number of a collective in its team

  spin_lock lock_;
  std::array<transfer*, 1024> buckets_{};
  std::optional<envelope> end_;  ///< of the first job_end that came
};

namespace {

/// Never destroyed: static objects may hold teams.
mailbox& the_mailbox() {
  static auto& made = *new mailbox;
  return made;
}

[[maybe_unused]] const bool registered = runtime::set_builtin_handler(
    runtime::handler_id::collective,
    [](const runtime::message& received, runtime::responder&) { the_mailbox().deliver(received); });

}  // namespace

// --- waiting for a message ---------------------------------------------------------

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
  if (mismatch_) report_mismatch();
  return std::move(here_.storage);
}

void incoming::report_mismatch() const {
  const auto say = [](const envelope& name, std::size_t bytes, bool any_size) {
    return std::string(name_of(name.kind)) +
           (any_size ? "" : " with " + std::to_string(bytes) + " bytes");
  };
  throw error(name_of(here_.name.kind),
              "this rank is in " + say(here_.name, target_bytes_, any_size_) + ", but rank " +
                  std::to_string(other_.peer) + " is in " + say(other_, other_bytes_, any_size_),
              "all ranks of a team call the same collectives in the same order, with equal sizes");
}

// --- sending -------------------------------------------------------------------------

void post_message(const envelope& name, std::span<const std::byte> data) {
  const std::array<word, 2> words{name.channel, pack(name, data.size())};
  const std::size_t most = runtime::max_payload();
  do {
    const auto piece = data.first(std::min(most, data.size()));
    runtime::send(name.peer, runtime::handler_id::collective, words, piece);
    data = data.subspan(piece.size());
  } while (!data.empty());
}

void clear_mailbox() noexcept { the_mailbox().clear(); }

}  // namespace acre::detail
