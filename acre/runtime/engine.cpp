#include <acre/runtime/engine.hpp>

#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/remote.hpp>
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

/// Its address tells threads apart.
thread_local constinit char this_thread = 0;

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

/// A message kept in memory of its own: header, arguments, payload.
struct alignas(std::max_align_t) engine::letter {
  letter* next = nullptr;
  rank_t target = 0;
  fabric::message_header header;

  std::size_t bytes_to_come = 0;  ///< of the body, while fragments are joined

  static letter* make(const fabric::message_header& header) {
    void* memory =
        std::malloc(sizeof(letter) + header.argument_count * sizeof(word) + header.payload_bytes);
    if (memory == nullptr) throw std::bad_alloc();
    auto* made = new (memory) letter;
    made->header = header;
    return made;
  }

  static letter* copy(const fabric::message_header& header, const word* arguments,
                      const void* payload) {
    letter* kept = make(header);
    const std::size_t argument_bytes = header.argument_count * sizeof(word);
    std::byte* body = kept->body();
    if (argument_bytes != 0) std::memcpy(body, arguments, argument_bytes);
    if (header.payload_bytes != 0)
      std::memcpy(body + argument_bytes, payload, header.payload_bytes);
    return kept;
  }

  static void operator delete(void* memory) { std::free(memory); }

  [[nodiscard]] std::byte* body() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  [[nodiscard]] const word* arguments() const noexcept {
    return reinterpret_cast<const word*>(this + 1);
  }
  [[nodiscard]] const std::byte* payload() const noexcept {
    return reinterpret_cast<const std::byte*>(arguments() + header.argument_count);
  }
  [[nodiscard]] message view() const noexcept {
    return {.header = header,
            .arguments = {arguments(), header.argument_count},
            .payload = {payload(), header.payload_bytes}};
  }
};

engine::engine(fabric::smp_ring& ring, fabric::conduit* network, bootstrap& launcher)
    : cursor_(ring),
      network_(network),
      max_payload_(fabric::smp_ring::max_message_bytes / 4),
      seen_heads_(new std::atomic<std::uint64_t>[world.size]()),
      launcher_(launcher) {
  if (network_ != nullptr) {
    max_payload_ = std::min(max_payload_, network_->offers().max_payload);
    helper_ = std::thread([this] { help(); });
    pthread_setname_np(helper_.native_handle(), "acre-helper");
  }
}

void engine::stop_helper() {
  stop_.store(true);
  if (!helper_.joinable()) return;
  network_->wake();
  helper_.join();
}

engine::~engine() {
  stop_helper();
  for (work left = take_work(true); left.task != nullptr || left.mail != nullptr;
       left = take_work(true)) {
    delete left.mail;
  }
}

// --- sending ---------------------------------------------------------------

[[gnu::always_inline]] inline bool engine::try_send_uncounted(rank_t target,
                                                              const fabric::message_header& header,
                                                              const word* arguments,
                                                              const void* payload) {
  bool sent = false;
  if (world.bases[target] != 0) {
    sent = box_of(target).ring.try_push(seen_heads_[target], header, arguments, payload);
    if (sent) ring_bell(target);
  } else {
    sent = network_->try_send(target, header, arguments, payload);
  }
  return sent;
}

bool engine::try_send_raw(rank_t target, const fabric::message_header& header,
                          const word* arguments, const void* payload) {
  const bool sent = try_send_uncounted(target, header, arguments, payload);
  if (sent) {
    count(counted::message_sent);
    count(counted::message_bytes, header.payload_bytes);
  }
  return sent;
}

/// Answers to roll calls are no cost of what the program does: they depend on how long ranks wait.
bool engine::try_reply(rank_t target, const fabric::message_header& header, const word* arguments,
                       const void* payload) {
  return header.handler == static_cast<std::uint8_t>(handler_id::roll_call_answer)
             ? try_send_uncounted(target, header, arguments, payload)
             : try_send_raw(target, header, arguments, payload);
}

bool engine::try_send(rank_t target, handler_id handler, std::span<const word> arguments,
                      std::span<const std::byte> payload, std::uint32_t tag) {
  return try_send_raw(target, header_for(handler, arguments, payload, tag), arguments.data(),
                      payload.data());
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
  const word number = fragmented_messages_.fetch_add(1, std::memory_order_relaxed);
  for (std::size_t done = 0; done < body.size(); done += max_payload_) {
    const word words[] = {number, done, header_words[0], header_words[1]};
    runtime::send(target, handler_id::fragment, words,
                  std::span(body).subspan(done, std::min(max_payload_, body.size() - done)));
  }
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
      joining.reset(letter::make(header));
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
  keep(whole.release());
}

void engine::deliver(const message& received) {
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
  keep(letter::copy(received.header, received.arguments.data(), received.payload.data()));
}

void engine::keep(letter* kept) {
  const std::lock_guard hold(inbox_lock_);
  const bool is_answer = handlers[kept->header.handler].is_answer;
  (is_answer ? answers_ : requests_).append(kept);
  inbox_size_.store(inbox_size_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void engine::hand_to_owner(const message& carried) {
  if (handlers[carried.header.handler].owner == nullptr) reject(carried);
  keep(letter::copy(carried.header, carried.arguments.data(), carried.payload.data()));
}

void engine::reply(handler_id handler, std::span<const word> arguments,
                   std::span<const std::byte> payload) {
  const fabric::message_header header = header_for(handler, arguments, payload);
  // At once where that is possible: who asked over a network waits for it.
  if (world.bases[reply_to] == 0 && reply_count_.load(std::memory_order_acquire) == 0 &&
      try_reply(reply_to, header, arguments.data(), payload.data())) {
    return;
  }
  std::unique_ptr<letter> kept(letter::copy(header, arguments.data(), payload.data()));
  kept->target = reply_to;
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
  while (handled < 64 && cursor_.pop([this](const message& received) { deliver(received); })) {
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
  if (network_ == nullptr) {
    flush_replies();
    return handled;
  }
  note_poll();
  return handled + drain_network();
}

engine::work engine::take_work(bool requests_too) noexcept {
  const std::lock_guard hold(inbox_lock_);
  work taken{.task = tasks_.take(), .mail = nullptr};
  if (taken.task == nullptr) taken.mail = answers_.take();
  if (taken.task == nullptr && taken.mail == nullptr && requests_too) {
    taken.mail = requests_.take();
  }
  if (taken.task == nullptr && taken.mail == nullptr) return taken;
  inbox_size_.store(inbox_size_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  return taken;
}

void engine::defer(deferred_task& task) noexcept {
  const std::lock_guard hold(inbox_lock_);
  tasks_.append(&task);
  inbox_size_.store(inbox_size_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// --- the gate ----------------------------------------------------------------
//
// While there is one, messages go no short way, and each look at the inbox asks first.

void engine::set_gate(bool held, const void* runner, std::uint32_t times) noexcept {
  held_ = held;
  runner_ = runner;
  runner_times_ = times;
  const std::uint32_t size = inbox_size_.load(std::memory_order_relaxed) & ~gate_bit;
  const bool gated = held || runner != nullptr;
  inbox_size_.store(gated ? size | gate_bit : size, std::memory_order_release);
}

void engine::hold_requests() noexcept {
  const std::lock_guard hold(inbox_lock_);
  set_gate(true, runner_, runner_times_);
}

void engine::admit_requests() noexcept {
  const std::lock_guard hold(inbox_lock_);
  set_gate(false, runner_, runner_times_);
}

bool engine::take_user_code() noexcept {
  const std::lock_guard hold(inbox_lock_);
  if (runner_ != nullptr && runner_ != &this_thread) return false;
  set_gate(held_, &this_thread, runner_times_ + 1);
  return true;
}

void engine::give_up_user_code() noexcept {
  {
    const std::lock_guard hold(inbox_lock_);
    if (runner_ != &this_thread) return;  // of a job that has ended
    const std::uint32_t left = runner_times_ - 1;
    set_gate(held_, left == 0 ? nullptr : runner_, left);
  }
  ring_bell(world.rank);  // others may go on with it
}

bool engine::another_thread_has_user_code() const noexcept {
  const std::lock_guard hold(inbox_lock_);
  return runner_ != nullptr && runner_ != &this_thread;
}

engine::share engine::share_behind_gate() const noexcept {
  const std::lock_guard hold(inbox_lock_);
  if (runner_ != nullptr && runner_ != &this_thread) return share::nothing;
  return held_ ? share::all_but_requests : share::all;
}

engine::share engine::share_of_this_thread() const noexcept {
  share mine = share::all;
  if ((inbox_size_.load(std::memory_order_acquire) & gate_bit) != 0) [[unlikely]] {
    mine = share_behind_gate();
  }
  return mine == share::all && stack_is_short() ? share::all_but_requests : mine;
}

/// The short way of a short message of a neighbour: from the ring to its handler.
bool engine::handle_next_directly() {
  if (!cursor_.ready() || inbox_size_.load(std::memory_order_acquire) != 0 || stack_is_short()) {
    return false;
  }
  // A copy on the stack, so that the cells are free again before user code runs.
  constexpr std::size_t short_enough = 256;
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
        deliver(received);
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
  run_for_owner([&] {
    const auto* arguments = reinterpret_cast<const word*>(body.data());
    handlers[header.handler].owner(
        {.header = header,
         .arguments = {arguments, header.argument_count},
         .payload = {body.data() + header.argument_count * sizeof(word), header.payload_bytes}});
  });
  return true;
}

std::size_t engine::progress_all() {
  std::size_t direct = 0;
  while (direct < 64 && handle_next_directly()) ++direct;
  std::size_t handled = direct + progress_internal();
  const share mine = share_of_this_thread();
  const std::uint32_t waiting = inbox_size_.load(std::memory_order_acquire);
  // Only what is here now: what these handlers cause is for the next call.
  std::uint32_t budget = mine == share::nothing ? 0 : waiting & ~gate_bit;
  for (; budget != 0; --budget) {
    const work next = take_work(mine == share::all);
    if (next.task != nullptr) {
      run_for_owner([&] { next.task->run(*next.task); });
    } else if (next.mail != nullptr) {
      const std::unique_ptr<letter> owned(next.mail);
      run_for_owner([&] { handlers[owned->header.handler].owner(owned->view()); });
    } else {
      break;
    }
    ++handled;
  }
  // What one thread has found another one runs, and waits for it in turn: either may sleep.
  if ((waiting & gate_bit) != 0 && handled != 0) [[unlikely]] {
    ring_bell(world.rank);
  }
  return handled;
}

bool engine::has_work(may_run kind) const noexcept {
  if (cursor_.ready() || reply_count_.load(std::memory_order_acquire) != 0) return true;
  if (kind == may_run::internal) return false;
  const share mine = share_of_this_thread();
  if (mine == share::nothing) return false;
  const std::lock_guard hold(inbox_lock_);
  return !tasks_.empty() || !answers_.empty() || (!requests_.empty() && mine == share::all);
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
  if (payload.size() > the_engine->max_payload()) {
    the_engine->send_fragments(target, handler, arguments, payload, tag);
    return;
  }
  until_room([=] { return the_engine->try_send(target, handler, arguments, payload, tag); },
             "room for a message");
}

void hand_to_owner(const message& carried) { the_engine->hand_to_owner(carried); }

bool has_mail() noexcept { return the_engine->has_mail(); }

std::size_t progress_internal() { return the_engine->progress_internal(); }

void defer(deferred_task& task) noexcept { the_engine->defer(task); }

bool runs_for_others() noexcept { return runs_of_others != 0; }

void hold_user_code() noexcept { the_engine->hold_requests(); }

}  // namespace acre::runtime

namespace acre {

std::size_t progress() {
  if (runtime::the_engine == nullptr) return 0;
  const std::size_t handled = runtime::the_engine->progress_all();
  runtime::rethrow_lost_failure();
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
