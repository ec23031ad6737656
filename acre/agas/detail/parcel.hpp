// SPDX-License-Identifier: BSD-3-Clause
// A call, move or end in transit to an object: RPC payload of this header and the arguments.
#pragma once

#include <acre/agas/gid.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team/call_under_way.hpp>
#include <acre/global/wire/callable.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/runtime/lent_address.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace acre::agas {

enum class parcel_kind : std::uint8_t { call, concurrent_call, close, move, destroy };

[[nodiscard]] constexpr const char* call_of(parcel_kind kind) noexcept {
  switch (kind) {
    case parcel_kind::move:
      return "migrate";
    case parcel_kind::destroy:
      return "destroy";
    default:
      return "invoke";
  }
}

struct parcel_header {
  gid target;
  callable_token invoker = callable_token::none;
  runtime::lent_pair answer{};  ///< promise and finisher of the caller; 0: not awaited
  rank_t caller = 0;
  std::uint32_t stream = 0;
  std::uint32_t number = 0;  ///< of the call in its stream
  std::uint32_t epoch = 0;   ///< of the place it is sent to; 0: home
  std::array<std::uint16_t, 3> family_words{};
  static constexpr std::uint8_t most_hops = 127;
  std::uint8_t hops : 7 = 0;    ///< number of forwardings, at most most_hops
  std::uint8_t missed : 1 = 0;  ///< forwarded by the home, for lack of a hint; set by the home
  parcel_kind kind = parcel_kind::call;

  [[nodiscard]] std::uint64_t family() const noexcept {
    return family_words[0] | std::uint64_t{family_words[1]} << 16 |
           std::uint64_t{family_words[2]} << 32;
  }
  void set_family(std::uint64_t family) noexcept {
    for (std::uint16_t& each : family_words) {
      each = static_cast<std::uint16_t>(family);
      family >>= 16;
    }
  }

  [[nodiscard]] bool is_awaited() const noexcept { return answer[1] != 0; }
  [[nodiscard]] bool is_call() const noexcept { return kind <= parcel_kind::concurrent_call; }
  [[nodiscard]] bool is_about_object() const noexcept { return kind >= parcel_kind::move; }
};
static_assert(std::has_unique_object_representations_v<parcel_header> &&
              sizeof(parcel_header) == 64);

using parcel_bytes = std::span<const std::byte>;

[[nodiscard]] inline parcel_header header_of(parcel_bytes parcel) noexcept {
  parcel_header header;
  std::memcpy(&header, parcel.data(), sizeof header);
  return header;
}

/// @throws acre::error if it is impossible in this job
inline void require_parcel(parcel_bytes parcel, rank_t from) {
  if (parcel.size() >= sizeof(parcel_header)) {
    const parcel_header header = header_of(parcel);
    if (header.kind <= parcel_kind::destroy && header.caller < size() &&
        header.target.home() < size()) {
      return;
    }
  }
  throw error("invoke", "rank " + std::to_string(from) + " sent an invalid call",
              "run the same binary on all ranks; otherwise that rank or the network is faulty");
}

/// A parcel that waits. Counts as under way while `counted` has a value.
struct kept_parcel {
  explicit kept_parcel(parcel_bytes from) : bytes(from.size()) {
    std::memcpy(bytes.data(), from.data(), from.size());
  }

  [[nodiscard]] parcel_header header() const noexcept { return header_of(bytes.span()); }

  std::optional<global::call_under_way> counted{std::in_place};
  global::owned_bytes bytes;
  std::unique_ptr<kept_parcel> next;
};

class parcel_queue {
 public:
  parcel_queue() = default;
  parcel_queue(parcel_queue&& other) noexcept
      : first_(std::move(other.first_)),
        last_(std::exchange(other.last_, nullptr)),
        words_(std::exchange(other.words_, 0)) {}
  parcel_queue& operator=(parcel_queue&& other) noexcept {
    clear();
    append(std::move(other));
    return *this;
  }
  ~parcel_queue() { clear(); }

  [[nodiscard]] bool is_empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] kept_parcel& front() const noexcept { return *first_; }
  [[nodiscard]] std::size_t words() const noexcept { return words_; }

  void push(std::unique_ptr<kept_parcel> added) noexcept {
    words_ += global::packed_words(added->bytes.size());
    kept_parcel* const place = added.get();
    (last_ == nullptr ? first_ : last_->next) = std::move(added);
    last_ = place;
  }
  [[nodiscard]] std::unique_ptr<kept_parcel> pop() noexcept {
    std::unique_ptr<kept_parcel> taken = std::move(first_);
    first_ = std::move(taken->next);
    if (first_ == nullptr) last_ = nullptr;
    words_ -= global::packed_words(taken->bytes.size());
    return taken;
  }
  template <class Use>
  void for_each(Use&& use) const {
    for (const kept_parcel* each = first_.get(); each != nullptr; each = each->next.get()) {
      use(each->bytes.span());
    }
  }
  template <class Use>
  void for_each_kept(Use&& use) {
    for (kept_parcel* each = first_.get(); each != nullptr; each = each->next.get()) use(*each);
  }
  template <class IsWanted>
  [[nodiscard]] std::unique_ptr<kept_parcel> take_if(IsWanted&& is_wanted) {
    kept_parcel* before = nullptr;
    for (std::unique_ptr<kept_parcel>* each = &first_; *each != nullptr; each = &(*each)->next) {
      if (is_wanted((*each)->header())) {
        std::unique_ptr<kept_parcel> taken = std::move(*each);
        *each = std::move(taken->next);
        if (last_ == taken.get()) last_ = before;
        words_ -= global::packed_words(taken->bytes.size());
        return taken;
      }
      before = each->get();
    }
    return nullptr;
  }
  void append(parcel_queue&& other) noexcept {
    if (other.is_empty()) return;
    (last_ == nullptr ? first_ : last_->next) = std::move(other.first_);
    last_ = std::exchange(other.last_, nullptr);
    words_ += std::exchange(other.words_, 0);
  }
  /// Iterative: recursion could overflow the stack.
  void clear() noexcept {
    while (!is_empty()) static_cast<void>(pop());
  }

 private:
  std::unique_ptr<kept_parcel> first_;
  kept_parcel* last_ = nullptr;
  std::size_t words_ = 0;
};

}  // namespace acre::agas
