// SPDX-License-Identifier: BSD-3-Clause
// Model state: plain bytes, for fast copying and hashing. Some fields exist only for checks.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace acre::agas::model {

using small = std::uint8_t;

inline constexpr small ranks = 3;
inline constexpr small most_objects = 2;
inline constexpr small nowhere = ranks;

enum class fault : small {
  none,
  passes_in_circles,  ///< forwards to equal or lower epochs
  follows_older_hints,
  keeps_no_note,
  settles_too_much,        ///< forgets notes newer than home's
  home_goes_back,          ///< home accepts lower epochs
  home_forgets_the_freed,  ///< late messages revive freed objects
  numbers_nothing,
  forgets_what_waits,  ///< waiting calls do not move
  hurries_a_stream,
  forgets_streams,    ///< ends streams with the last reference
  keeps_what_moves,   ///< source keeps the object until home knows
  loses_what_failed,  ///< no return after a failed arrival
  calls_without_credit,
  copies_credit,
  issues_uncounted_credit,
  drops_what_waits,
  drops_while_called,
  frees_out_of_turn,
  revives_the_unreferenced,  ///< home issues credit of an object that is about to end
};

struct settings {
  small objects = 1;
  std::array<small, most_objects> homes{0, 0};
  std::array<small, most_objects> creators{0, 0};
  bool in_order = true;
  bool counted = true;
  small credit = 4;
  small more_credit = 2;
  std::array<small, ranks> answered{0, 0, 0};
  std::array<small, ranks> unanswered{0, 0, 0};
  small moves = 0;
  small requests = 0;
  small failures = 0;
  small references = 0;
  small closes = 0;
  small replenishments = 1;
  small own_references = 0;  ///< requested by functions of the objects
  bool drops_hints = true;
  bool counts_passes = true;
  fault wrong = fault::none;
};

/// Epochs start at 1; 0: unknown.
struct place {
  small rank = 0;
  small epoch = 0;
  bool known() const { return epoch != 0; }
};

enum class task : small { answered, unanswered, migrate, close, free };

enum class kind : small {
  call,
  answer,
  closed,
  hint,
  move,
  arrived,
  settled,
  freed,
  reference,
  ask,
  more,
  give_back,
};

struct message {
  kind what{};
  small from = 0;
  small to = 0;
  small object = 0;
  task does{};
  small caller = 0;
  small stream = 0;
  small number = 0;
  small ordinal = 0;
  place where{};
  small hops = 0;
  small credit = 0;
  small more = 0;
  small asked = 0;
  auto operator<=>(const message& other) const {
    return std::memcmp(this, &other, sizeof(message)) <=> 0;
  }
  bool operator==(const message& other) const { return (*this <=> other) == 0; }
};
static_assert(sizeof(message) == 15);

template <std::size_t Capacity>
struct messages {
  small size = 0;
  std::array<message, Capacity> items{};

  void insert(std::size_t at, const message& item) {
    if (size == Capacity) throw std::length_error("the model has too little room for messages");
    for (std::size_t i = size; i > at; --i) items[i] = items[i - 1];
    items[at] = item;
    ++size;
  }
  void append(const message& item) { insert(size, item); }
  void add_sorted(const message& item) {
    std::size_t at = 0;
    while (at < size && items[at] < item) ++at;
    insert(at, item);
  }
  message take(std::size_t at) {
    const message item = items[at];
    --size;
    for (std::size_t i = at; i < size; ++i) items[i] = items[i + 1];
    items[size] = message{};
    return item;
  }
  const message* begin() const { return items.data(); }
  const message* end() const { return items.data() + size; }
};

struct at_rank {
  small here = 0;
  place note{};
  place hint{};
  small credit = 0;
  small queued = 0;
  small asked = 0;
  small stream = 1;
  small number = 0;
  small closing = 0;
  small awaited = 0;
  small issued = 0;
  small done = 0;
};

struct stream_record {
  small stream = 0;
  small next = 0;
};

struct object_state {
  std::array<at_rank, ranks> at{};
  std::array<stream_record, ranks> streams{};
  place directory{};
  small issued = 0;
  small free_sent = 0;
  small free_ordinal = 0;
  small freed = 0;
  small ended = 0;
  small moves = 0;
};

struct job {
  std::array<object_state, most_objects> objects{};
  std::array<std::array<small, ranks>, most_objects> answered{};
  std::array<std::array<small, ranks>, most_objects> unanswered{};
  small moves = 0;
  small requests = 0;
  small failures = 0;
  small references = 0;
  small closes = 0;
  small replenishments = 0;
  small own_references = 0;
  messages<8> waiting{};
  messages<4> kept{};
  messages<24> way{};
};
static_assert(std::has_unique_object_representations_v<job>);

}  // namespace acre::agas::model
