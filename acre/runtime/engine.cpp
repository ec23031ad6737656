#include <acre/runtime/engine.hpp>

#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/letter.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/payload_block.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/request_window.hpp>
#include <acre/runtime/user_code.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <utility>

namespace acre::runtime {

constinit engine* the_engine = nullptr;

namespace {

struct handler_entry {
  builtin_handler builtin = nullptr;
  owner_handler owner = nullptr;
  bool is_answer = false;  ///< of the owner's: never held back
};

constinit std::array<handler_entry, 256> handlers{};

/// Where the message now handled by this thread came from, for reply().
thread_local constinit rank_t reply_to = 0;

/// Where this thread's stack is so full that no more requests are served in the
/// waits of requests. They may be nested as deep as ranks call each other, so
/// the limit is the memory and not a number.
std::uintptr_t lowest_frame_for_requests() noexcept {
  constexpr std::uintptr_t most_used = std::uintptr_t{64} << 20;  // of an unlimited stack
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t bytes = 0;
  ::pthread_attr_getstack(&attributes, &lowest, &bytes);
  ::pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<std::uintptr_t>(lowest);
  // An eighth is left for what a request calls.
  return begin + bytes - std::min(bytes - bytes / 8, most_used);
}

[[nodiscard]] bool stack_is_short() noexcept {
  thread_local const std::uintptr_t limit = lowest_frame_for_requests();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < limit;
}

/// How deep this thread is in code that others have asked for. Known in builds with checks.
thread_local constinit unsigned runs_of_others = 0;

/// Runs code that may be the user's. The call around it is in the middle of
/// something, and has to finish that first.
template <class Run>
void run_for_owner(Run&& run) noexcept {
  if constexpr (acre::detail::has_checks) ++runs_of_others;
  try {
    run();
  } catch (...) {
    keep_lost_failure(std::current_exception());
  }
  if constexpr (acre::detail::has_checks) --runs_of_others;
}

fabric::message_header header_for(handler_id handler, std::span<const word> arguments,
                                  std::span<const std::byte> payload,
                                  std::uint32_t tag = 0) noexcept {
  return {.payload_bytes = static_cast<std::uint32_t>(payload.size()),
          .handler = static_cast<std::uint8_t>(handler),
          .argument_count = static_cast<std::uint8_t>(arguments.size()),
          .source = world.rank,
          .tag = tag};
}

[[noreturn]] void reject(const message& received) {
  throw error("progress",
              "a message from rank " + std::to_string(received.header.source) + " names handler " +
                  std::to_string(received.header.handler) + ", which this rank does not have",
              "run the same binary on all ranks");
}

}  // namespace

bool set_builtin_handler(handler_id id, builtin_handler handler) noexcept {
  handlers[static_cast<std::size_t>(id)] = {.builtin = handler};
  return true;
}

bool set_owner_handler(handler_id id, owner_handler handler) noexcept {
  handlers[static_cast<std::size_t>(id)] = {.owner = handler};
  return true;
}

bool set_answer_handler(handler_id id, owner_handler handler) noexcept {
  handlers[static_cast<std::size_t>(id)] = {.owner = handler, .is_answer = true};
  return true;
}

namespace {

/// In the header of a message in a ring: its body is a block of its sender's (smp_blocks.hpp). The
/// words of the message are where that lies, and the first word of the header that it stands for.
constexpr std::uint16_t body_in_block = 1;

/// Payloads up to this size travel in the ring's cells, and are run from a copy on the stack.
constexpr std::size_t most_in_cells = 256;

/// In a block, for arguments, of which most messages have no more: so the payload begins a line,
/// and a copy of it writes no line twice.
constexpr std::size_t bytes_before_payload = fabric::smp_blocks::bytes_to_second_line;

[[nodiscard]] bool is_request(std::uint8_t handler) noexcept {
  return handlers[handler].owner != nullptr && !handlers[handler].is_answer;
}

/// What counts as under way to another node until the owner has begun to run it: requests, and what
/// brings one.
[[nodiscard]] bool is_charged(std::uint8_t handler) noexcept {
  return is_request(handler) || handler == static_cast<std::uint8_t>(handler_id::put_with_note);
}

/// What the sender has charged for a message, if that came from another node.
[[nodiscard]] std::uint32_t charged_units(const fabric::message_header& header) noexcept {
  return is_charged(header.handler) ? request_units(header) : 0;
}

[[nodiscard]] part_of part_of_what(handler_id handler) noexcept {
  return is_charged(static_cast<std::uint8_t>(handler)) ? part_of::a_request
                                                        : part_of::anything_else;
}

[[nodiscard]] bool is_neighbour(rank_t rank) noexcept { return world.bases[rank] != 0; }

/// A body in a block of a neighbour's. It is given back by who has taken the message: one that
/// could not be taken stays in the ring, and the block is its body still when it comes again.
class borrowed_body {
 public:
  borrowed_body(const fabric::message_header& header, const word* words) noexcept
      : body_(box_of(header.source).blocks.body_at(words[0])), header_(header) {
    std::memcpy(static_cast<void*>(&header_), &words[1], sizeof(word));
  }
  void give_back() const noexcept { fabric::smp_blocks::give_back(body_); }
  [[nodiscard]] message view() const noexcept {
    const auto* arguments = reinterpret_cast<const word*>(body_);
    return {.header = header_,
            .arguments = {arguments, header_.argument_count},
            .payload = {body_ + header_.argument_count * sizeof(word), header_.payload_bytes}};
  }

 private:
  const std::byte* body_;
  fabric::message_header header_;
};

}  // namespace

constinit request_windows windows_of_requests{};

engine::engine(fabric::smp_ring& ring, fabric::conduit* network, bootstrap& launcher)
    : cursor_(ring),
      network_(network),
      max_payload_(most_in_ring),
      peer_words_(new std::atomic<std::uint64_t>[world.size]()),
      excess_(window_of_job(world.size)),
      launcher_(launcher) {
  if (network_ != nullptr) {
    windows_of_requests = {.accounts = peer_words_.get(), .window = window_of_job(world.size)};
    max_payload_ = std::min(max_payload_, network_->offers().max_payload);
  }
}

void engine::start_helper() {
  if (network_ == nullptr) return;
  helper_ = std::thread([this] { help(); });
  pthread_setname_np(helper_.native_handle(), "acre-helper");
}

void engine::stop_helper() {
  stop_.store(true);
  if (!helper_.joinable()) return;
  network_->wake();
  helper_.join();
}

engine::~engine() {
  stop_helper();
  windows_of_requests = {};
}

// --- sending ---------------------------------------------------------------

namespace {

void count_sent(const fabric::message_header& header) noexcept {
  count(counted::message_sent);
  count(counted::message_bytes, header.payload_bytes);
}

}  // namespace

inline bool engine::push_near(rank_t target, const fabric::message_header& header,
                              const word* arguments, const void* payload) {
  if (!box_of(target).ring.try_push(peer_words_[target], header, arguments, payload)) return false;
  ring_bell(target);
  return true;
}

/// Through the network, and tells the target on this occasion what was run of its requests.
bool engine::push_far(rank_t target, fabric::message_header header, const word* arguments,
                      const void* payload) {
  account& there = peer_words_[target];
  const std::uint32_t told = take_run(there, UINT16_MAX);
  header.flags = static_cast<std::uint16_t>(told);
  bool sent = false;
  try {
    sent = network_->try_send(target, header, arguments, payload);
  } catch (...) {
    put_back_run(there, told);
    throw;
  }
  if (!sent && told != 0) put_back_run(there, told);
  return sent;
}

inline bool engine::try_send_near(rank_t target, const fabric::message_header& header,
                                  const word* arguments, const void* payload) {
  if (!push_near(target, header, arguments, payload)) return false;
  count_sent(header);
  return true;
}

bool engine::try_send_far(rank_t target, const fabric::message_header& header,
                          const word* arguments, const void* payload) {
  if (!push_far(target, header, arguments, payload)) return false;
  count_sent(header);
  return true;
}

namespace {

/// Answers to roll calls, and what tells senders that they may send on, are no cost of what the
/// program does: they depend on how long ranks wait.
[[nodiscard]] bool is_cost_of_program(std::uint8_t handler) noexcept {
  return handler != static_cast<std::uint8_t>(handler_id::roll_call_answer) &&
         handler != static_cast<std::uint8_t>(handler_id::requests_run);
}

}  // namespace

bool engine::try_reply(rank_t target, const fabric::message_header& header, const word* arguments,
                       const void* payload) {
  const bool sent = is_neighbour(target) ? push_near(target, header, arguments, payload)
                                         : push_far(target, header, arguments, payload);
  if (sent && is_cost_of_program(header.handler)) count_sent(header);
  return sent;
}

bool engine::try_send(rank_t target, handler_id handler, std::span<const word> arguments,
                      std::span<const std::byte> payload, std::uint32_t tag) {
  const fabric::message_header header = header_for(handler, arguments, payload, tag);
  if (is_neighbour(target)) {
    return try_send_near(target, header, arguments.data(), payload.data());
  }
  if (!is_charged(header.handler)) {
    return try_send_far(target, header, arguments.data(), payload.data());
  }
  return has_room(peer_words_[target]) &&
         try_send_charged(target, header, arguments.data(), payload.data());
}

bool engine::try_send_charged(rank_t target, const fabric::message_header& header,
                              const word* arguments, const void* payload) {
  account& there = peer_words_[target];
  charge(there, request_units(header));
  bool sent = false;
  try {
    sent = try_send_far(target, header, arguments, payload);
  } catch (...) {
    discharge(there, request_units(header));
    throw;
  }
  if (!sent) discharge(there, request_units(header));
  return sent;
}

namespace {

/// How many sends of this thread are held back, each in what another runs meanwhile.
thread_local constinit unsigned held_back_sends = 0;

}  // namespace

/// The wait of a send that finds no room. It runs no code of users, for what that waits for may be
/// what this thread does after the send. So what others ask of this rank is queued, and they may
/// send on; but only up to a limit. Then a request's wait runs what is queued, as any wait of the
/// user's does, or two ranks that send to each other without end would hold more and more. From
/// then on the waits of further requests run what comes where it lies, without a queue, until the
/// rank waits or makes progress of its own accord; and larger requests that find room run some of
/// it too (run_what_came). Nested deep, or with little stack left, nothing more is run; then the
/// ranks of a cycle could wait for each other for ever, so after a while windows are exceeded
/// (window_excess.hpp).
class engine::wait_for_room {
 public:
  wait_for_room(engine& of, part_of whole) noexcept
      : engine_(of),
        is_user_wait_(whole == part_of::a_request),
        may_run_more_(held_back_sends < most_nested && !stack_is_short()),
        waiting_("room for a message", may_run::internal, site::current()) {
    count(counted::no_room);
    ++held_back_sends;
  }
  ~wait_for_room() { --held_back_sends; }
  wait_for_room(const wait_for_room&) = delete;
  wait_for_room& operator=(const wait_for_room&) = delete;

  void step() {
    const bool queue_is_full = engine_.inbox_.bytes() > most_queued;
    const bool may_run_requests = is_user_wait_ && may_run_more_;
    if (may_run_requests && queue_is_full) {
      engine_.sends_run_requests_.store(true, std::memory_order_relaxed);
    }
    const bool runs_requests =
        may_run_requests && engine_.sends_run_requests_.load(std::memory_order_relaxed);
    if (is_user_wait_ && !runs_requests && !queue_is_full) engine_.tell_of_queued();
    waiting_.now_may_run(runs_requests ? may_run::user_code : may_run::internal);
    waiting_.step();
  }

  /// Whether a request may go to a rank of another node though its window is full.
  [[nodiscard]] bool may_exceed_window_of(rank_t target) {
    if (may_run_more_) return false;
    const auto under_way =
        static_cast<std::uint32_t>(engine_.peer_words_[target].load(std::memory_order_relaxed));
    return engine_.excess_.allows(target, under_way, std::chrono::steady_clock::now());
  }

 private:
  static constexpr std::size_t most_queued = std::size_t{4} << 20;
  static constexpr unsigned most_nested = 16;

  engine& engine_;
  bool is_user_wait_;
  bool may_run_more_;
  waiter waiting_;
};

void engine::send_when_there_is_room(rank_t target, handler_id handler,
                                     std::span<const word> arguments,
                                     std::span<const std::byte> payload, std::uint32_t tag,
                                     part_of whole) {
  const fabric::message_header header = header_for(handler, arguments, payload, tag);
  const bool may_exceed = is_charged(header.handler) && !is_neighbour(target);
  wait_for_room waiting(*this, whole);
  do {
    waiting.step();
    if (may_exceed && waiting.may_exceed_window_of(target) &&
        try_send_charged(target, header, arguments.data(), payload.data())) {
      return;
    }
  } while (!try_send(target, handler, arguments, payload, tag));
}

std::size_t engine::most_at_once(rank_t target) const noexcept {
  return is_neighbour(target) ? most_near : max_payload_;
}

void engine::send_large(rank_t target, handler_id handler, std::span<const word> arguments,
                        std::span<const std::byte> payload, std::uint32_t tag) {
  const part_of whole = part_of_what(handler);
  if (payload.size() <= most_at_once(target)) {
    send_whole(target, handler, arguments, payload, tag, whole);
  } else {
    send_fragments(target, handler, arguments, payload, tag);
  }
  if (whole == part_of::a_request) run_what_came();
}

void engine::send_whole(rank_t target, handler_id handler, std::span<const word> arguments,
                        std::span<const std::byte> payload, std::uint32_t tag, part_of whole) {
  if (is_neighbour(target) && send_in_block(target, handler, arguments, payload, tag, whole)) {
    return;
  }
  if (!try_send(target, handler, arguments, payload, tag)) {
    send_when_there_is_room(target, handler, arguments, payload, tag, whole);
  }
}

/// A block for a body; while all are in use this waits a little, for the receiver of a block does
/// less than that of cells. One that computes, or waits itself, may keep them for long: after a
/// wait in vain nobody waits until one of its size is free again.
/// @return null: there is none
std::byte* engine::block_for(std::size_t bytes, part_of whole) {
  fabric::smp_blocks& blocks = box_of(world.rank).blocks;
  if (bytes > fabric::smp_blocks::largest_body) return nullptr;
  std::atomic<bool>& come_back = blocks_come_back_[fabric::smp_blocks::size_for(bytes)];
  std::byte* body = blocks.try_take(bytes);
  if (body == nullptr && come_back.load(std::memory_order_relaxed)) {
    // A neighbour that sends too writes one as large before it looks for ours. So few steps never
    // come to sleep.
    const std::size_t most_steps = 128 + bytes / 128;
    wait_for_room waiting(*this, whole);
    for (std::size_t step = 0; body == nullptr && step < most_steps; ++step) {
      waiting.step();
      body = blocks.try_take(bytes);
    }
  }
  const bool came = body != nullptr;
  if (come_back.load(std::memory_order_relaxed) != came) {
    come_back.store(came, std::memory_order_relaxed);
  }
  return body;
}

bool engine::send_in_block(rank_t target, handler_id handler, std::span<const word> arguments,
                           std::span<const std::byte> payload, std::uint32_t tag, part_of whole) {
  const fabric::message_header header = header_for(handler, arguments, payload, tag);
  const std::size_t before = std::max(arguments.size_bytes(), bytes_before_payload);
  std::byte* const block = block_for(before + payload.size(), whole);
  if (block == nullptr) return false;
  std::memcpy(block + before, payload.data(), payload.size());
  send_block(target, header, arguments.data(), block + before, whole);
  return true;
}

/// A payload that a block holds, with room for the arguments in front of it.
void engine::send_block(rank_t target, const fabric::message_header& header, const word* arguments,
                        std::byte* payload, part_of whole) {
  const std::size_t argument_bytes = header.argument_count * sizeof(word);
  std::byte* const body = payload - argument_bytes;
  if (argument_bytes != 0) std::memcpy(body, arguments, argument_bytes);
  word first = 0;
  std::memcpy(&first, &header, sizeof first);
  const word words[] = {box_of(world.rank).blocks.offset_of(body), first};
  const fabric::message_header outside{.payload_bytes = 0,
                                       .handler = header.handler,
                                       .argument_count = 2,
                                       .flags = body_in_block,
                                       .source = header.source,
                                       .tag = header.tag};
  try {
    if (!try_send_near(target, outside, words, body)) {
      wait_for_room waiting(*this, whole);
      do {
        waiting.step();
      } while (!try_send_near(target, outside, words, body));
    }
  } catch (...) {
    fabric::smp_blocks::give_back(body);
    throw;
  }
  count(counted::message_bytes, header.payload_bytes);
}

void engine::send_written(rank_t target, handler_id handler, std::span<const word> arguments,
                          std::span<std::byte> payload) {
  const part_of whole = part_of_what(handler);
  send_block(target, header_for(handler, arguments, payload), arguments.data(), payload.data(),
             whole);
  if (whole == part_of::a_request) run_what_came();
}

/// After a request whose payload is not short. This keeps two ranks that flood each other in step:
/// each gives the other's blocks back while it still finds its own free, so neither waits, and few
/// blocks are written again and again.
inline void engine::run_what_came() {
  if (sends_run_requests_.load(std::memory_order_relaxed) && held_back_sends == 0) run_a_few();
}

void engine::run_a_few() {
  ++held_back_sends;  // what runs here does not do the same in its own sends
  constexpr int most = 4;
  std::size_t handled = 0;
  for (int i = 0; i < most && handle_next(handled); ++i) {
  }
  --held_back_sends;
}

payload_block::payload_block(rank_t target, std::size_t bytes) noexcept {
  if (bytes <= most_in_cells || target >= world.size || !is_neighbour(target)) return;
  std::byte* const block = box_of(world.rank).blocks.try_take(bytes_before_payload + bytes);
  if (block != nullptr) place_ = {block + bytes_before_payload, bytes};
}

std::span<std::byte> payload_block::release() noexcept { return std::exchange(place_, {}); }

payload_block::~payload_block() {
  if (has_place()) fabric::smp_blocks::give_back(place_.data());
}

void send(rank_t target, handler_id handler, std::span<const word> arguments,
          payload_block& payload) {
  const std::span<std::byte> place = payload.release();
  the_engine->send_written(target, handler, arguments, place);
}

// A fragment's arguments: the number of its message at its source, where it
// begins in the message's body (arguments, then payload), and the header.

void engine::send_fragments(rank_t target, handler_id handler, std::span<const word> arguments,
                            std::span<const std::byte> payload, std::uint32_t tag) {
  if (payload.size() > UINT32_MAX) {
    throw error("send", std::to_string(payload.size()) + " bytes are too many for one message",
                "send at most 4 GiB at once");
  }
  const auto header_words =
      std::bit_cast<std::array<word, 2>>(header_for(handler, arguments, payload, tag));
  std::vector<std::byte> body(arguments.size_bytes() + payload.size());
  if (!arguments.empty()) std::memcpy(body.data(), arguments.data(), arguments.size_bytes());
  std::memcpy(body.data() + arguments.size_bytes(), payload.data(), payload.size());
  const std::size_t most = most_at_once(target);
  hold_back(target, header_for(handler, arguments, payload));
  const word number = fragmented_messages_.fetch_add(1, std::memory_order_relaxed);
  for (std::size_t done = 0; done < body.size(); done += most) {
    const word words[] = {number, done, header_words[0], header_words[1]};
    send_whole(target, handler_id::fragment, words,
               std::span(body).subspan(done, std::min(most, body.size() - done)), 0,
               part_of_what(handler));
  }
}

/// Waits until a request may go in fragments, which themselves are never held back, and charges it.
void engine::hold_back(rank_t target, const fabric::message_header& header) {
  if (is_neighbour(target) || !is_charged(header.handler)) return;
  account& there = peer_words_[target];
  if (!has_room(there)) {
    wait_for_room waiting(*this, part_of::a_request);
    do {
      waiting.step();
    } while (!has_room(there) && !waiting.may_exceed_window_of(target));
  }
  charge(there, request_units(header));
}

// --- receiving ---------------------------------------------------------------

void engine::join_fragment(const message& fragment) {
  const std::pair key(fragment.header.source, fragment.arguments[0]);
  std::unique_ptr<letter> whole;
  {
    const std::lock_guard hold(fragments_lock_);
    auto& joining = incomplete_[key];
    if (joining == nullptr) {
      const auto header = std::bit_cast<fabric::message_header>(
          std::array{fragment.arguments[2], fragment.arguments[3]});
      joining.reset(letter::make(pool_, header));
      joining->bytes_to_come = header.argument_count * sizeof(word) + header.payload_bytes;
    }
    std::memcpy(joining->body() + fragment.arguments[1], fragment.payload.data(),
                fragment.payload.size());
    joining->bytes_to_come -= fragment.payload.size();
    if (joining->bytes_to_come != 0) return;
    whole = std::move(joining);
    incomplete_.erase(key);
  }
  const handler_entry& entry = handlers[whole->header.handler];
  if (entry.owner == nullptr) reject(whole->view());
  whole->units = charged_units(whole->header);
  keep(whole.release());
}

/// What came through the network.
void engine::deliver(const message& received) {
  account& there = peer_words_[received.header.source];
  if (received.header.flags != 0) discharge(there, received.header.flags);
  if (received.header.handler == static_cast<std::uint8_t>(handler_id::requests_run)) {
    discharge(there, static_cast<std::uint32_t>(received.arguments[0]));
    return;
  }
  message unmarked = received;
  unmarked.header.flags = 0;
  accept(unmarked);
}

/// What came through the ring.
void engine::accept_near(const message& received) {
  if ((received.header.flags & body_in_block) == 0) return accept(received);
  const borrowed_body whole(received.header, received.arguments.data());
  accept(whole.view());
  whole.give_back();
}

void engine::accept(const message& received) {
  count(counted::message_received);
  if (received.header.handler == static_cast<std::uint8_t>(handler_id::fragment)) {
    join_fragment(received);
    return;
  }
  const handler_entry& entry = handlers[received.header.handler];
  if (entry.builtin != nullptr) {
    reply_to = received.header.source;
    entry.builtin(received, *this);
    return;
  }
  if (entry.owner == nullptr) reject(received);
  keep_copy(received, charged_units(received.header));
}

void engine::keep(letter* kept) noexcept {
  if (handlers[kept->header.handler].is_answer) {
    inbox_.append_answer(kept);
  } else {
    inbox_.append_request(kept);
  }
}

void engine::keep_copy(const message& received, std::uint32_t units) {
  letter* const kept =
      letter::copy(pool_, received.header, received.arguments.data(), received.payload.data());
  kept->units = units;
  keep(kept);
}

void engine::hand_to_owner(const message& carried, const message& carrier) {
  if (handlers[carried.header.handler].owner == nullptr) reject(carried);
  keep_copy(carried, charged_units(carrier.header));
}

void engine::reply(handler_id handler, std::span<const word> arguments,
                   std::span<const std::byte> payload) {
  reply_to_rank(reply_to, handler, arguments, payload);
}

void engine::reply_to_rank(rank_t target, handler_id handler, std::span<const word> arguments,
                           std::span<const std::byte> payload) {
  const fabric::message_header header = header_for(handler, arguments, payload);
  // At once where that is possible: who asked over a network waits for it.
  if (!is_neighbour(target) && reply_count_.load(std::memory_order_acquire) == 0 &&
      try_reply(target, header, arguments.data(), payload.data())) {
    return;
  }
  std::unique_ptr<letter> kept(letter::copy(pool_, header, arguments.data(), payload.data()));
  kept->target = target;
  const std::lock_guard hold(replies_lock_);
  replies_.push_back(std::move(kept));
  reply_count_.store(static_cast<std::uint32_t>(replies_.size()), std::memory_order_release);
}

void engine::flush_replies() {
  if (reply_count_.load(std::memory_order_acquire) == 0) return;
  const std::lock_guard hold(replies_lock_);
  while (!replies_.empty()) {
    const letter& next = *replies_.front();
    if (!try_reply(next.target, next.header, next.arguments(), next.payload())) break;
    replies_.pop_front();
  }
  reply_count_.store(static_cast<std::uint32_t>(replies_.size()), std::memory_order_release);
}

std::size_t engine::drain_ring() {
  if (!cursor_.ready() || !ring_lock_.try_lock()) return 0;
  const std::lock_guard hold(ring_lock_, std::adopt_lock);
  std::size_t handled = 0;
  // A bound, so that a rank that is flooded also gets to its own work.
  while (handled < 64 && cursor_.pop([this](const message& received) { accept_near(received); })) {
    ++handled;
  }
  return handled;
}

void engine::keep_network_failure() noexcept {
  {
    const std::lock_guard hold(failure_lock_);
    if (failure_ == nullptr) failure_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
  }
  ring_bell(world.rank);
}

std::size_t engine::use_network() {
  if (network_->offers().completes_by_flush && !network_is_quiet()) network_->flush();
  const std::size_t handled = network_->progress(*this);
  flush_replies();
  return handled;
}

/// For the rank's own threads; the helper's failure is thrown here too. An exception that is no
/// acre::error, as where memory runs out, is not the network's end.
std::size_t engine::drain_network() {
  if (!failed_.load(std::memory_order_acquire)) {
    try {
      return use_network();
    } catch (const error&) {
      keep_network_failure();
    }
  }
  // A lost peer has most likely died, and the launcher is about to end the job with the one line
  // that says so.
  std::call_once(launcher_has_spoken_, [this] { launcher_.let_launcher_speak(); });
  std::rethrow_exception(failure_);
}

std::size_t engine::progress_internal() {
  const std::size_t handled = drain_ring();
  return handled + poll_network();
}

std::size_t engine::poll_network() {
  if (network_ == nullptr) {
    flush_replies();
    return 0;
  }
  note_poll();
  return drain_network();
}

void engine::give_up_user_code() noexcept {
  if (inbox_.give_up_user_code()) ring_bell(world.rank);  // others may go on with it
}

inbox::share engine::share_of_this_thread() const noexcept {
  const inbox::share mine = inbox_.share_of_this_thread();
  return mine == inbox::share::all && stack_is_short() ? inbox::share::all_but_requests : mine;
}

/// The short way of a short message of a neighbour: from the ring to its handler.
bool engine::handle_next_directly() {
  if (!cursor_.ready() || !inbox_.is_clear() || stack_is_short()) {
    return false;
  }
  // A copy on the stack, so that the cells are free again before user code runs.
  constexpr std::size_t short_enough = most_in_cells + fabric::max_arguments * sizeof(word);
  alignas(std::max_align_t) std::array<std::byte, short_enough> body;
  fabric::message_header header;
  bool mine = false;
  bool popped = false;
  {
    if (!ring_lock_.try_lock()) return false;
    const std::lock_guard hold(ring_lock_, std::adopt_lock);
    popped = cursor_.pop([&](const message& received) {
      const std::size_t bytes = received.arguments.size_bytes() + received.payload.size();
      mine = handlers[received.header.handler].owner != nullptr && bytes <= short_enough;
      if (!mine) {
        accept_near(received);
        return;
      }
      count(counted::message_received);
      header = received.header;
      // The payload follows the arguments in the ring, too; and a copy of a fixed
      // size, the rest of a cell, is two instructions.
      constexpr std::size_t one_cell = fabric::smp_ring::cell_bytes - sizeof(header);
      std::memcpy(body.data(), received.arguments.data(), one_cell);
      if (bytes > one_cell) {
        std::memcpy(body.data() + one_cell,
                    reinterpret_cast<const std::byte*>(received.arguments.data()) + one_cell,
                    bytes - one_cell);
      }
    });
  }
  if (!mine) return popped;
  if ((header.flags & body_in_block) != 0) {
    run_in_place(header, reinterpret_cast<const word*>(body.data()));
    return true;
  }
  run_for_owner([&] {
    const auto* arguments = reinterpret_cast<const word*>(body.data());
    handlers[header.handler].owner(
        {.header = header,
         .arguments = {arguments, header.argument_count},
         .payload = {body.data() + header.argument_count * sizeof(word), header.payload_bytes}});
  });
  return true;
}

/// A handler of the owner's on the block in which its message came. No cells are held meanwhile.
void engine::run_in_place(const fabric::message_header& header, const word* words) noexcept {
  const borrowed_body whole(header, words);
  run_for_owner([&] { handlers[header.handler].owner(whole.view()); });
  whole.give_back();  // whatever the handler has thrown: the message has left the ring
}

std::size_t engine::progress_all() {
  if (held_back_sends == 0) sends_run_requests_.store(false, std::memory_order_relaxed);
  constexpr int most_directly = 64;
  std::size_t handled = 0;
  int direct = 0;
  while (direct < most_directly && handle_next(handled)) ++direct;
  // A ring that holds more is not emptied into the queue, where each message is a copy.
  handled += direct < most_directly ? progress_internal() : poll_network();
  handled += run_queue();
  // What one thread has found another one runs, and waits for it in turn: either may sleep.
  if (inbox_.has_gate() && handled != 0) [[unlikely]] {
    ring_bell(world.rank);
  }
  return handled;
}

/// A message of the ring, where it lies if it can. What is queued is older and runs first: behind a
/// queue each message would be copied.
/// @return whether one was there, and nothing keeps it there
inline bool engine::handle_next(std::size_t& handled) {
  if (!cursor_.ready()) return false;
  if (inbox_.is_open()) [[unlikely]] {
    handled += run_queue();
  }
  if (!handle_next_directly()) return false;
  ++handled;
  return true;
}

/// What is here now: what these handlers cause is for the next call.
std::size_t engine::run_queue() {
  const inbox::share mine = share_of_this_thread();
  const std::uint32_t budget = mine == inbox::share::nothing ? 0 : inbox_.size();
  std::uint32_t handled = 0;
  for (; handled != budget; ++handled) {
    const inbox::work next = inbox_.take(mine == inbox::share::all);
    if (next.task != nullptr) {
      run_for_owner([&] { next.task->run(*next.task); });
    } else if (next.mail != nullptr) {
      const std::unique_ptr<letter> owned(next.mail);
      if (next.untold) tell_of_run(owned->header.source, owned->units);
      run_for_owner([&] { handlers[owned->header.handler].owner(owned->view()); });
    } else {
      break;
    }
  }
  return handled;
}

/// A rank of another node may send as much again.
void engine::tell_of_run(rank_t source, std::uint32_t units) {
  if (units == 0 || is_neighbour(source)) return;
  account& there = peer_words_[source];
  if (!note_run(there, units)) return;
  const word told = take_run(there, UINT32_MAX);
  if (told != 0) reply_to_rank(source, handler_id::requests_run, std::span(&told, 1), {});
}

/// Requests that wait for the owner count as run: those who sent them may send as much again.
void engine::tell_of_queued() {
  while (const auto queued = inbox_.take_untold()) tell_of_run(queued->source, queued->units);
}

bool engine::has_work(may_run kind) const noexcept {
  if (cursor_.ready() || reply_count_.load(std::memory_order_acquire) != 0) return true;
  if (kind == may_run::internal) return false;
  return inbox_.has_work_for(share_of_this_thread());
}

// --- the helper thread -------------------------------------------------------

void engine::help() {
  using namespace std::chrono_literals;
  std::uint32_t seen_polls = 0;
  std::uint64_t seen_issued = 0;
  // Where the rank's own threads poll they are faster than we are, and a look of ours at the
  // network takes its locks from them. Who only polls now and then is no help.
  const auto stepped_aside = [&] {
    constexpr std::uint32_t many = 16;
    const std::uint32_t polls = polls_.load(std::memory_order_relaxed);
    if (polls - std::exchange(seen_polls, polls) < many || is_asleep(world.rank)) return false;
    std::this_thread::sleep_for(500us);
    return true;
  };
  try {
    while (!stop_.load(std::memory_order_relaxed) && !failed_.load(std::memory_order_relaxed)) {
      if (stepped_aside()) continue;
      const bool traffic =
          network_->wait(reply_count_.load(std::memory_order_relaxed) == 0 ? 100 : 1);
      if (stepped_aside() || failed_.load(std::memory_order_acquire)) continue;
      const std::size_t handled = network_->progress(*this);
      flush_replies();
      // The provider serves puts and gets without a word: an owner who sleeps in a
      // wait hears of the traffic all the same, and polls for a while.
      if (handled != 0 || traffic) ring_bell(world.rank);
      // Who issues puts needs the same locks: what they bring in the meantime is one look.
      const std::uint64_t issued = network_line.issued.load(std::memory_order_relaxed);
      if (std::exchange(seen_issued, issued) != issued) std::this_thread::sleep_for(50us);
    }
  } catch (...) {
    keep_network_failure();  // the owner meets it in its next call
  }
}

// --- the functions of the runtime ---------------------------------------------

std::size_t max_payload() noexcept { return the_engine->max_payload(); }

bool try_send(rank_t target, handler_id handler, std::span<const word> arguments,
              std::span<const std::byte> payload, std::uint32_t tag) {
  return the_engine->try_send(target, handler, arguments, payload, tag);
}

void send(rank_t target, handler_id handler, std::span<const word> arguments,
          std::span<const std::byte> payload, std::uint32_t tag) {
  if (payload.size() > most_in_cells) {
    the_engine->send_large(target, handler, arguments, payload, tag);
    return;
  }
  if (!the_engine->try_send(target, handler, arguments, payload, tag)) [[unlikely]] {
    the_engine->send_when_there_is_room(target, handler, arguments, payload, tag,
                                        part_of_what(handler));
  }
}

void hand_to_owner(const message& carried, const message& carrier) {
  the_engine->hand_to_owner(carried, carrier);
}

bool has_mail() noexcept { return the_engine->has_mail(); }

std::size_t progress_internal() { return the_engine->progress_internal(); }

void defer(deferred_task& task) noexcept { the_engine->defer(task); }

bool runs_for_others() noexcept { return runs_of_others != 0; }

void hold_user_code() noexcept { the_engine->hold_requests(); }

namespace {

/// What a call does that programs repeat until something has happened, and that has found nothing:
/// where ranks share cores, another rank is likely to need this one's.
void yield_now_and_then() noexcept {
  static thread_local constinit unsigned in_vain = 0;
  const unsigned vain_calls = crowded() ? 2 : 1000;
  if (++in_vain < vain_calls) return;
  in_vain = 0;
  count(counted::yield);
  ::sched_yield();
}

}  // namespace

}  // namespace acre::runtime

namespace acre {

std::size_t progress() {
  if (runtime::the_engine == nullptr) return 0;
  const std::size_t handled = runtime::the_engine->progress_all();
  runtime::rethrow_lost_failure();
  if (handled == 0) runtime::yield_now_and_then();
  return handled;
}

user_code_thread::user_code_thread() {
  runtime::require_job("user_code_thread");
  if (!runtime::the_engine->take_user_code()) {
    throw error("user_code_thread", "another thread of this rank runs its user code",
                "let that thread's user_code_thread end first");
  }
}

user_code_thread::~user_code_thread() {
  // It may have outlived the job.
  if (runtime::the_engine != nullptr) runtime::the_engine->give_up_user_code();
}

}  // namespace acre
