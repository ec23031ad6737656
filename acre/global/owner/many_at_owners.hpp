// SPDX-License-Identifier: BSD-3-Clause
// Service for many items: those of one owner share messages; all owners work concurrently.
//
//     struct lookups {
//       static constexpr run_by runner = run_by::anyone;
//       static constexpr std::size_t answer_bytes = sizeof(value);
//       explicit lookups(std::span<const word> words);  // once per message
//       std::uint8_t serve(reader item, item_answer& reply);
//       void prefetch(reader item);                     // optional
//     };
//
// Items beyond a full answer are requested again; an item whose value exceeds a message is
// requested alone, and its answer staged (at_owner.hpp).
//
// Cost: 2 M per full message (16 to 32 KiB).
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/requests_under_way.hpp>
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace acre::at_owner {

// Request payload: head, then one item of any length; or items at multiples of 8, and 4-byte
// lengths if they differ. Answer: one code per item, then values at multiples of 8.
struct items_head {
  std::uint32_t count;
  std::uint32_t bytes;  ///< of each item; `differ` if sizes differ or `count` is 1
  static constexpr std::uint32_t differ = ~std::uint32_t{0};
};
inline constexpr std::size_t item_alignment = payload_alignment;
[[nodiscard]] constexpr std::size_t item_stride(std::size_t bytes) noexcept {
  return round_up(bytes, item_alignment);
}

/// Flag: the item has a value. Services use lower codes.
inline constexpr std::uint8_t item_has_value = 0x80;
enum : std::uint8_t {
  item_not_done = 0xff,  ///< answer full: request again
  item_alone = 0xfe      ///< value exceeds a message: request alone
};

/// Value of Service::answer_bytes for values of different sizes. serve() may then be called twice
/// for an item: no side effects.
inline constexpr std::size_t answers_differ = variable_size;

class item_cursor {
 public:
  explicit item_cursor(std::span<const std::byte> payload) {
    reader head(payload);
    head_ = global::load_bytes<items_head>(head.take(sizeof(head_)));
    rest_ = payload.subspan(sizeof(head_));
    if (head_.count > 1 + rest_.size()) throw_not_here();
    if (head_.bytes != items_head::differ || head_.count <= 1) return;
    const std::size_t bytes = 4 * std::size_t{head_.count};
    if (bytes > rest_.size()) throw_not_here();
    lengths_ = rest_.last(bytes);
  }
  [[nodiscard]] std::size_t count() const noexcept { return head_.count; }
  [[nodiscard]] reader next() { return reader(next_bytes()); }
  [[nodiscard]] std::span<const std::byte> next_bytes() {
    if (head_.count == 1) return rest_;
    std::uint32_t bytes = head_.bytes;
    if (bytes == items_head::differ) {
      std::memcpy(&bytes, lengths_.data(), sizeof(bytes));
      lengths_ = lengths_.subspan(sizeof(bytes));
    }
    if (bytes > rest_.size()) throw_not_here();
    const std::span<const std::byte> item = rest_.first(bytes);
    rest_ = rest_.subspan(smaller(item_stride(bytes), rest_.size()));
    return item;
  }

 private:
  items_head head_{};
  std::span<const std::byte> rest_;
  std::span<const std::byte> lengths_;
};

class item_answer {
 public:
  item_answer(answer& whole, std::size_t items, std::size_t answer_bytes)
      : whole_(whole), items_(items), used_(item_stride(items)) {
    if (answer_bytes != answers_differ) {
      room_ = whole.room(used_ + items * item_stride(answer_bytes));
    } else if (items > 1) {
      room_ = whole.room(runtime::max_payload());
    }
  }

  /// Appends the current item's value. At most once per item.
  template <class V>
  void write(const V& value) {
    const std::size_t bytes = item_stride(serialized_size(value));
    if (room_.empty()) room_ = whole_.room(used_ + bytes);
    if (used_ + bytes > room_.size()) {
      fits_ = false;
      return;
    }
    write_to(room_.subspan(used_), value);
    used_ += bytes;
    has_value_ = true;
  }

  /// Ends the current item.
  /// @return false if the answer is full: this and later items must be requested again
  bool end_item(std::size_t item, std::uint8_t code) {
    if (room_.empty()) room_ = whole_.room(used_);
    if (!fits_) code = used_ == item_stride(items_) ? item_alone : item_not_done;
    if (std::exchange(has_value_, false)) code |= item_has_value;
    room_[item] = std::byte{code};
    done_ = code == item_not_done ? item : item + 1;
    fits_ = true;
    return code != item_not_done;
  }
  ~item_answer() {
    if (room_.empty()) return;
    for (std::size_t item = done_; item < items_; ++item) room_[item] = std::byte{item_not_done};
    whole_.keep_first(used_);
  }
  item_answer(const item_answer&) = delete;
  item_answer& operator=(const item_answer&) = delete;

 private:
  answer& whole_;
  std::size_t items_;
  std::size_t used_;
  std::span<std::byte> room_;
  std::size_t done_ = 0;
  bool fits_ = true;
  bool has_value_ = false;
};

template <class Service>
concept item_service = std::constructible_from<Service, std::span<const fabric::word>> &&
                       requires(Service& service, reader item, item_answer& reply) {
                         { Service::runner } -> std::convertible_to<run_by>;
                         { Service::answer_bytes } -> std::convertible_to<std::size_t>;
                         { service.serve(item, reply) } -> std::same_as<std::uint8_t>;
                       };

template <item_service Service>
struct serving_items {
  static constexpr run_by runner = Service::runner;

  static void serve(const asked& request, answer& reply) {
    item_cursor items(request.payload);
    item_answer answers(reply, items.count(), Service::answer_bytes);
    Service service(request.words);
    constexpr bool prefetches = requires(reader item) { service.prefetch(item); };
    constexpr std::size_t ahead = 16;
    [[maybe_unused]] item_cursor soon = items;
    if constexpr (prefetches) {
      for (std::size_t i = 0; i < smaller(ahead, items.count()); ++i) service.prefetch(soon.next());
    }
    for (std::size_t i = 0; i < items.count(); ++i) {
      if constexpr (prefetches) {
        if (i + ahead < items.count()) service.prefetch(soon.next());
      }
      const std::uint8_t code = service.serve(items.next(), answers);
      if (!answers.end_item(i, code)) return;
    }
  }
};

/// Argument of many::finish(take).
struct answered_item {
  std::uint64_t number;
  std::uint8_t code;
  std::span<const std::byte> item;
  reader* value;  ///< null without a value
};

/// Items of one call, used by one thread.
/// @tparam Words  words_of(member) returns the request words for that member
template <item_service Service, class Words>
class many {
 public:
  many(const team& members, Words words_of, const char* call, const site& where)
      : members_(members), words_of_(std::move(words_of)), call_(call), where_(where) {}
  many(const many&) = delete;
  many& operator=(const many&) = delete;
  /// Waits also after a failure: late requests would change data unexpectedly.
  ~many() {
    try {
      under_way_.await(0, runs_meanwhile, [](batch&, request_record&, rank_t) {}, call_, where_);
    } catch (...) {
      // A peer has failed.
    }
  }

  /// Adds an item for `member`.
  /// @param number  passed to take() by finish()
  template <class... Operands>
  void add(rank_t member, std::uint64_t number, const Operands&... operands) {
    const std::size_t bytes = serialized_size(operands...);
    write_to(place_for(member, number, bytes), operands...);
  }

  /// Sends the remaining items, waits, and calls take(answered_item) for each answer, in any order.
  /// @throws acre::error if a service threw
  template <class Take>
  void finish(Take&& take) {
    const auto receive_batch = [&](batch& sent, request_record& record, rank_t owner) {
      read_answers(sent, take_answer(record, owner, call_), take);
    };
    do {
      for (rank_t member = 0; member < open_.size(); ++member) send(member);
      under_way_.await(0, runs_meanwhile, receive_batch, call_, where_);
    } while (!is_empty());
  }

 private:
  static constexpr runtime::may_run runs_meanwhile = meanwhile(Service::runner);
  static constexpr std::size_t worth_reserving = 16;

  struct batch {
    rank_t member = 0;
    std::vector<std::byte> payload;
    std::vector<std::uint64_t> numbers;
    std::vector<std::uint32_t> lengths;
    bool differ = false;

    [[nodiscard]] std::size_t size() const noexcept { return numbers.size(); }
  };

  static std::size_t most_items() {
    constexpr std::size_t value =
        Service::answer_bytes == answers_differ ? 64 : Service::answer_bytes;
    return larger<std::size_t>((runtime::max_payload() - item_alignment) / (1 + item_stride(value)),
                               1);
  }

  [[nodiscard]] bool is_empty() const noexcept {
    for (const batch& each : open_) {
      if (each.size() != 0) return false;
    }
    return under_way_.empty();
  }

  static bool differ_with(const batch& items, std::size_t bytes) noexcept {
    return items.differ || (items.size() != 0 && items.lengths.front() != bytes);
  }
  static bool is_full_for(const batch& items, std::size_t bytes) {
    const std::size_t lengths =
        differ_with(items, bytes) ? sizeof(std::uint32_t) * (items.size() + 1) : 0;
    return items.size() >= most_items() ||
           item_stride(items.payload.size()) + item_stride(bytes) + lengths >
               runtime::max_payload();
  }

  [[nodiscard]] std::span<std::byte> place_for(rank_t member, std::uint64_t number,
                                               std::size_t bytes) {
    if (open_.empty()) open_.resize(members_.size());
    batch& into = open_[member];
    if (is_full_for(into, bytes)) send(member);
    const std::size_t begin =
        into.size() == 0 ? sizeof(items_head) : item_stride(into.payload.size());
    into.differ = differ_with(into, bytes);
    if (into.size() == worth_reserving) into.payload.reserve(runtime::max_payload());
    into.payload.resize(begin + bytes);
    into.numbers.push_back(number);
    into.lengths.push_back(static_cast<std::uint32_t>(bytes));
    return std::span(into.payload).subspan(begin, bytes);
  }

  void send(rank_t member) {
    if (open_[member].size() == 0) return;
    batch sent = std::exchange(open_[member], {});
    sent.member = member;
    const items_head head{
        .count = static_cast<std::uint32_t>(sent.size()),
        .bytes = sent.differ || sent.size() == 1 ? items_head::differ : sent.lengths.front()};
    std::memcpy(sent.payload.data(), &head, sizeof(head));
    if (sent.size() != 1) sent.payload.resize(item_stride(sent.payload.size()));
    if (sent.differ) {
      const auto lengths = std::as_bytes(std::span(sent.lengths));
      sent.payload.insert(sent.payload.end(), lengths.begin(), lengths.end());
    }
    const auto words = words_of_(member);
    const request what = request_for<serving_items<Service>>(members_.world_rank(member), words,
                                                             sent.payload, call_);
    under_way_.add(what, std::move(sent));
  }

  template <class Take>
  void read_answers(const batch& sent, const answered& all, Take& take) {
    std::span<const std::byte> values = std::span(all.bytes).subspan(item_stride(sent.size()));
    item_cursor items(sent.payload);
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const std::uint64_t number = sent.numbers[i];
      const std::span<const std::byte> item = items.next_bytes();
      const auto code = std::to_integer<std::uint8_t>(all.bytes[i]);
      if (code == item_not_done) {
        ask_again(sent.member, number, item);
      } else if (code == item_alone) {
        send(sent.member);
        ask_again(sent.member, number, item);
        send(sent.member);
      } else if ((code & item_has_value) != 0) {
        reader value(values);
        take(
            answered_item{number, static_cast<std::uint8_t>(code & ~item_has_value), item, &value});
        values = values.last(values.size() - item_stride(values.size() - value.remaining()));
      } else {
        take(answered_item{number, code, item, nullptr});
      }
    }
  }
  void ask_again(rank_t member, std::uint64_t number, std::span<const std::byte> item) {
    std::memcpy(place_for(member, number, item.size()).data(), item.data(), item.size());
  }

  const team& members_;
  Words words_of_;
  const char* call_;
  site where_;
  requests_under_way<batch> under_way_;
  std::vector<batch> open_;
};

}  // namespace acre::at_owner
