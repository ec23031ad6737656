// The order of messages, for providers that promise it and do not keep it.
//
// Each message carries a trailer: who sends it, and its number among those from
// this sender to this receiver. What arrives early waits until its turn.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/fabric/message.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace acre::fabric {

class message_order {
 public:
  /// The last bytes of a message.
  struct trailer {
    rank_t sender = 0;
    std::uint32_t number = 0;
  };

  message_order(rank_t self, std::size_t ranks) : self_(self), next_(ranks), expected_(ranks) {}

  /// Sends with `send(trailer)`, which returns false when there is no room; the
  /// number is then given again.
  template <class Send>
  bool number(rank_t target, Send&& send) {
    const std::lock_guard hold(sending_);
    if (!send(trailer{.sender = self_, .number = next_[target]})) return false;
    ++next_[target];
    return true;
  }

  /// Calls `deliver` for this message and for those that waited for it, or keeps
  /// a copy of it. Called by the thread that polls only.
  template <class Deliver>
  void arrange(std::span<const std::byte> bytes, Deliver&& deliver) {
    trailer mark;
    if (bytes.size() < sizeof(mark)) return deliver(bytes);  // which rejects it
    std::memcpy(&mark, bytes.data() + bytes.size() - sizeof(mark), sizeof(mark));
    if (mark.sender >= expected_.size()) return deliver(bytes);
    std::uint32_t& expected = expected_[mark.sender];
    const std::uint64_t sender = std::uint64_t{mark.sender} << 32;
    const auto ahead = static_cast<std::int32_t>(mark.number - expected);
    if (ahead < 0) return;  // a second time
    if (ahead > 0) {
      early_.try_emplace(sender | mark.number, bytes.begin(), bytes.end());
      return;
    }
    deliver(bytes);
    ++expected;
    for (auto next = early_.find(sender | expected); next != early_.end();
         next = early_.find(sender | expected)) {
      deliver(std::span<const std::byte>(next->second));
      early_.erase(next);
      ++expected;
    }
  }

 private:
  rank_t self_;
  spin_lock sending_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> expected_;
  std::map<std::uint64_t, std::vector<std::byte>> early_;  ///< by sender and number
};

}  // namespace acre::fabric
