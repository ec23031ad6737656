// SPDX-License-Identifier: BSD-3-Clause
// What a job of the small model is made of: messages, and what ranks know of objects.
//
// Three ranks, one or two objects; all of it plain bytes, so that a state is copied and hashed
// quickly. Some numbers are no part of the protocol: they remember what was done, for the checks.
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

/// Each takes a rule away, or does it wrong: the checks have to find it.
enum class fault : small {
  none,
  passes_in_circles,    ///< a call may be passed on to the epoch by which it came, or a lower one
  follows_older_hints,  ///< a hint is followed whatever its epoch
  keeps_no_note,        ///< who gave an object away does not note where it went
  settles_too_much,     ///< a note is forgotten though it is newer than what home knows
  home_goes_back,       ///< home takes a lower epoch
  home_forgets_the_freed,   ///< a late word about an object that was freed makes it known again
  numbers_nothing,          ///< calls run as they come
  forgets_what_waits,       ///< what waits for an object does not go along with it
  hurries_a_stream,         ///< a stream begins before the last has ended
  forgets_streams,          ///< a stream is forgotten with the last reference
  keeps_what_moves,         ///< who gives an object away keeps it until home knows
  loses_what_failed,        ///< an object that could not be made is not sent back
  calls_without_credit,     ///< a call that nobody waits for carries none
  copies_credit,            ///< a reference that is sent leaves all credit behind
  issues_uncounted_credit,  ///< home does not count what it issues later
  drops_what_waits,         ///< the last reference goes while more credit is asked for
  drops_while_called,       ///< the last reference goes while a call waits for its answer
  frees_out_of_turn,        ///< freeing waits for no other call
};

/// How a job is made, and how much its users do.
struct settings {
  small objects = 1;
  std::array<small, most_objects> homes{0, 0};
  std::array<small, most_objects> creators{0, 0};  ///< who has the first reference
  bool in_order = true;   ///< messages of one rank to another come in order
  bool counted = true;    ///< objects end with their last reference, else by a call
  small credit = 4;       ///< of the first reference
  small more_credit = 2;  ///< what home issues when there is no half
  std::array<small, ranks> answered{0, 0, 0};    ///< calls of each rank to each object
  std::array<small, ranks> unanswered{0, 0, 0};  ///< those that nobody waits for
  small moves = 0;
  small requests = 0;  ///< moves that a rank asks for by a call
  small failures = 0;  ///< moves that end where they began
  small references = 0;
  small closes = 0;
  small replenishments = 1;
  bool drops_hints = true;
  bool counts_passes = true;  ///< checks how often a call was passed on
  fault wrong = fault::none;
};

/// An object's rank at an epoch. The first epoch is 1; 0 is for nothing known.
struct place {
  small rank = 0;
  small epoch = 0;
  bool known() const { return epoch != 0; }
};

/// What a call does when it runs.
enum class task : small { answered, unanswered, migrate, close, free };

enum class kind : small {
  call,
  answer,
  closed,
  hint,  // calls
  move,
  arrived,
  settled,  // moves
  freed,    // the end
  reference,
  ask,
  more,
  give_back,  // credit
};

/// One message, or a call that waits somewhere.
struct message {
  kind what{};
  small from = 0;
  small to = 0;
  small object = 0;
  task does{};
  small caller = 0;
  small stream = 0;
  small number = 0;
  small ordinal = 0;  ///< for checks: which call of its caller, whatever the stream
  place where{};      ///< of a call: that by which it came
  small hops = 0;     ///< for checks, but for one: whether it was passed on
  small credit = 0;
  small more = 0;   ///< a move: it goes back; credit: of the other object
  small asked = 0;  ///< a call that moves: to where; a move: who asked for it, + 1
  auto operator<=>(const message& other) const {
    return std::memcmp(this, &other, sizeof(message)) <=> 0;
  }
  bool operator==(const message& other) const { return (*this <=> other) == 0; }
};
static_assert(sizeof(message) == 15);

/// A few messages.
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

/// What one rank knows of one object.
struct at_rank {
  small here = 0;  ///< the epoch at which it is here
  place note{};    ///< where it went, until home knows
  place hint{};
  small credit = 0;
  small queued = 0;  ///< credit that will go home
  small asked = 0;   ///< waits for more credit
  small stream = 1;  ///< as a caller
  small number = 0;
  small closing = 0;
  small awaited = 0;  ///< answers
  small issued = 0;   ///< for checks: calls
  small done = 0;     ///< for checks: a bit for each call that ran, or failed with an error
};

/// What moves with an object: for each caller its stream and the next number.
struct stream_record {
  small stream = 0;
  small next = 0;
};

struct object_state {
  std::array<at_rank, ranks> at{};
  std::array<stream_record, ranks> streams{};
  place directory{};       // at home
  small issued = 0;        // at home
  small free_sent = 0;     ///< and by whom: its rank + 1
  small free_ordinal = 0;  ///< for checks: the calls that it issued before
  small freed = 0;         ///< home knows
  small ended = 0;         ///< for checks
  small moves = 0;         ///< for checks
};

/// The whole job.
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
  messages<8> waiting{};  ///< calls at objects, wherever those are, also under way
  messages<4> kept{};     ///< calls at homes, until the directory is newer
  messages<24> way{};     ///< under way, in order of their channels
};
static_assert(std::has_unique_object_representations_v<job>);

}  // namespace acre::agas::model
