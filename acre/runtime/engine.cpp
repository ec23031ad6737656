#include <acre/runtime/engine.hpp>

#include <acre/base/checks.hpp>
#include <acre/base/error.hpp>
#include <acre/base/resource_limits.hpp>
#include <acre/runtime/body_in_block.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/handler_table.hpp>
#include <acre/runtime/job.hpp>
#include <acre/runtime/letter.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/rank_box.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/request_window.hpp>
#include <acre/runtime/running_code.hpp>
#include <acre/runtime/send_near.hpp>
#include <acre/runtime/stack_limit.hpp>
#include <acre/runtime/user_code.hpp>
#include <acre/runtime/wait.hpp>
#include <acre/runtime/wait_for_room.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace acre::runtime {

constinit engine* the_engine = nullptr;

namespace {

/// Where the message now handled by this thread came from, for reply().
thread_local constinit rank_t reply_to = 0;

/// How deep this thread is in code that others have asked for. Known in builds with checks.
thread_local constinit unsigned runs_of_others = 0;

/// How many runs of the queue this thread is in.
thread_local constinit unsigned runs_of_queue = 0;

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

std::string sender_of(const fabric::message_header& header) {
  return "a message from rank " + std::to_string(header.source);
}

[[noreturn]] void reject(const message& received) {
  throw error("progress",
              sender_of(received.header) + " names handler " +
                  std::to_string(received.header.handler) + ", which this rank does not have",
              "run the same binary on all ranks");
}

[[noreturn, gnu::cold]] void reject_form(const fabric::message_header& header) {
  constexpr const char* advice =
      "that rank, or the network, is broken; run the same binary on all ranks";
  if (header.source >= world.size) {
    throw error(
        "progress",
        sender_of(header) + " has come to a job of " + std::to_string(world.size) + " ranks",
        advice);
  }
  throw error("progress",
              sender_of(header) + " to handler " + std::to_string(header.handler) + " has " +
                  std::to_string(header.argument_count) + " arguments and " +
                  std::to_string(header.payload_bytes) + " bytes, which that cannot read",
              advice);
}

/// Nothing is believed because it has come: before anything of a message is used, it is known who
/// has sent it, and that all is there that its handler reads.
void require_sound(const fabric::message_header& header) {
  if (!is_sound(header)) [[unlikely]] {
    reject_form(header);
  }
}

/// The whole of a message that goes in fragments: what is said of it is as good as they are.
void require_sound_whole(const message& fragment) {
  fragment_arguments words;
  if (fragment.arguments.size() != words.size()) reject_form(fragment.header);
  std::memcpy(words.data(), fragment.arguments.data(), sizeof words);
  const auto head = std::bit_cast<fragment_head>(words);
  fabric::message_header whole = head.whole;
  whole.source = fragment.header.source;
  require_sound(whole);
  if (handlers[whole.handler].owner == nullptr) {
    reject({.header = whole, .arguments = {}, .payload = {}});
  }
}

/// A message of a ring that says where its body is.
[[nodiscard]] bool names_body(const message& received) noexcept {
  return received.header.source < world.size && received.arguments.size() == words_of_body &&
         is_neighbour(received.header.source) &&
         borrowed_body::lies_in_blocks(received.arguments.data());
}

}  // namespace

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
  try {
    helper_ = std::thread([this] { help(); });
  } catch (const std::system_error& refused) {
    throw error("job", std::string("the helper thread cannot be started: ") + refused.what(),
                advice_for_refused_thread(refused.code().value()));
  }
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

// --- receiving ---------------------------------------------------------------

void engine::join_fragment(const message& fragment) {
  require_sound_whole(fragment);
  std::unique_ptr<letter> whole = fragments_.join(pool_, fragment);
  if (whole == nullptr) return;
  whole->units = charged_units(whole->header);
  keep(whole.release());
}

/// A rank of another node has run so much of this rank's requests.
void engine::note_told(const fabric::message_header& header, word units) {
  if (units == 0) return;
  account& there = peer_words_[header.source];
  if (units > under_way(there)) [[unlikely]] {
    throw error(
        "progress",
        sender_of(header) + " says that more of this rank's requests have run " + "than were sent");
  }
  discharge(there, static_cast<std::uint32_t>(units));
}

/// What came through the network.
void engine::deliver(const message& received) {
  require_sound(received.header);
  note_told(received.header, received.header.flags);
  if (received.header.handler == static_cast<std::uint8_t>(handler_id::requests_run)) {
    if (received.arguments.empty()) reject_form(received.header);
    note_told(received.header, received.arguments[0]);
    return;
  }
  message unmarked = received;
  unmarked.header.flags = 0;
  accept(unmarked);
}

void engine::note_refused() noexcept { count(counted::message_refused); }

/// What came through the ring.
void engine::accept_near(const message& received) {
  if ((received.header.flags & body_in_block) == 0) {
    require_sound(received.header);
    return accept(received);
  }
  if (!names_body(received)) reject_form(received.header);
  const borrowed_body whole(received.header, received.arguments.data());
  require_sound(whole.view().header);
  accept(whole.view());
  whole.give_back();
}

/// One that is sound.
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

void engine::hand_to_owner(const message& carried, std::uint32_t units) {
  require_sound(carried.header);
  if (handlers[carried.header.handler].owner == nullptr) reject(carried);
  keep_copy(carried, units);
}

void engine::reply(handler_id handler, std::span<const word> arguments,
                   std::span<const std::byte> payload) {
  reply_to_rank(reply_to, handler, arguments, payload);
}

void engine::reply_to_rank(rank_t target, handler_id handler, std::span<const word> arguments,
                           std::span<const std::byte> payload) {
  const fabric::message_header header = header_for(handler, arguments, payload);
  // At once where that is possible: who asked over a network waits for it.
  if (!is_neighbour(target) && replies_.empty() &&
      try_reply(target, header, arguments.data(), payload.data())) {
    return;
  }
  std::unique_ptr<letter> kept(letter::copy(pool_, header, arguments.data(), payload.data()));
  kept->target = target;
  replies_.append(std::move(kept));
}

void engine::flush_replies() {
  replies_.flush([this](const letter& next) {
    return try_reply(next.target, next.header, next.arguments(), next.payload());
  });
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
      if ((received.header.flags & body_in_block) != 0) {
        if (!names_body(received)) reject_form(received.header);
        require_sound(borrowed_body(received.header, received.arguments.data()).view().header);
      } else {
        require_sound(received.header);
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
  constexpr std::size_t most_directly = 64;
  std::size_t direct = 0;
  while (direct < most_directly && handle_next_directly()) ++direct;
  std::size_t queued = 0;
  if (inbox_.is_open()) [[unlikely]] {
    while (direct < most_directly && handle_next(queued)) ++direct;
  }
  // A ring that holds more is not emptied into the queue, where each message is a copy.
  const std::size_t handled =
      direct + queued + (direct < most_directly ? progress_internal() : poll_network());
  return inbox_.is_clear() ? handled : handled + run_what_waits(handled != 0);
}

/// @param has_handled  this call has done something already
std::size_t engine::run_what_waits(bool has_handled) {
  const bool is_gated = inbox_.has_gate();
  const std::size_t run = run_queue();
  // What one thread has found another one runs, and waits for it in turn: either may sleep.
  if (is_gated && (has_handled || run != 0)) ring_bell(world.rank);
  return run;
}

/// A message of the ring, where it lies if it can. What is queued is older and runs first: behind a
/// queue each message would be copied.
/// @param queued  has added to it how many ran of those
/// @return whether one was there, and nothing keeps it there
bool engine::handle_next(std::size_t& queued) {
  if (!cursor_.ready()) return false;
  if (inbox_.is_open()) queued += run_queue();
  return handle_next_directly();
}

/// What is here now: what these handlers cause is for the next call.
std::size_t engine::run_queue(std::uint32_t most) {
  const inbox::share mine = share_of_this_thread();
  const std::uint32_t budget = mine == inbox::share::nothing ? 0 : std::min(most, inbox_.size());
  std::uint32_t handled = 0;
  ++runs_of_queue;
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
  --runs_of_queue;
  if (mine != inbox::share::nothing && inbox_.size() != 0) run_at_end();
  return handled;
}

/// What is added meanwhile is for the next call.
void engine::run_at_end() {
  for (std::uint32_t left = inbox_.size(); left != 0; --left) {
    deferred_task* const next = inbox_.take_at_end();
    if (next == nullptr) return;
    run_for_owner([next] { next->run(*next); });
  }
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
  if (!replies_.empty()) return true;
  if (kind == may_run::network_only) return false;
  if (cursor_.ready()) return true;
  if (kind == may_run::internal) return false;
  return inbox_.has_work_for(share_of_this_thread());
}

namespace {

[[noreturn]] void report_lost_host() {
  throw error("network", this_node().lost_host,
              "the host is down, or its network; ACRE_LINK_SECONDS says how long a silence may be");
}

}  // namespace

void note_lost_host(const std::string& problem) {
  node_box& node = this_node();
  std::snprintf(node.lost_host, sizeof node.lost_host, "%s", problem.c_str());
  node.host_is_lost.store(1, std::memory_order_release);
}

// --- the helper thread -------------------------------------------------------

void engine::note_repeated_call() noexcept {
  using namespace std::chrono_literals;
  using clock = std::chrono::steady_clock;
  constexpr clock::duration longest = 10ms;  // what takes longer hardly feels the helper
  if (network_ == nullptr) return;
  const clock::duration now = clock::now().time_since_epoch();
  const clock::duration before(
      last_repeated_call_.exchange(now.count(), std::memory_order_relaxed));
  if (now - before > longest) return;
  // Several may follow each other at once: none takes back what one before has said.
  const std::int64_t until = (now + std::min(2 * (now - before), longest)).count();
  if (until > aside_until_.load(std::memory_order_relaxed)) {
    aside_until_.store(until, std::memory_order_relaxed);
  }
}

void engine::help() {
  using namespace std::chrono_literals;
  using clock = std::chrono::steady_clock;
  std::uint32_t seen_polls = 0;
  std::uint64_t seen_issued = 0;
  // Where the rank's own threads poll they are faster than we are, and a look of ours at the
  // network takes its locks from them. Who only polls now and then is no help.
  const auto stepped_aside = [&] {
    constexpr std::uint32_t many = 16;
    const std::uint32_t polls = polls_.load(std::memory_order_relaxed);
    const bool polls_a_lot = polls - std::exchange(seen_polls, polls) >= many;
    const clock::duration until(aside_until_.load(std::memory_order_relaxed));
    const clock::duration left = until - clock::now().time_since_epoch();
    const auto aside = std::max<clock::duration>(left, polls_a_lot ? 500us : 0us);
    if (aside <= 0us || is_asleep(world.rank)) return false;
    std::this_thread::sleep_for(aside);
    return true;
  };
  try {
    while (!stop_.load(std::memory_order_relaxed) && !failed_.load(std::memory_order_relaxed)) {
      if (this_node().host_is_lost.load(std::memory_order_acquire) != 0) report_lost_host();
      if (stepped_aside()) continue;
      const bool traffic = network_->wait(replies_.empty() ? 100 : 1);
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
  // The network may have noticed before those who look after the links.
  while (!stop_.load(std::memory_order_relaxed)) {
    if (this_node().host_is_lost.load(std::memory_order_acquire) != 0) return end_soon();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// Where a host is lost, the launcher may be lost as well, and the owner may compute for hours: it
/// has a moment to hear of it, and to end the job in its own way.
void engine::end_soon() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (std::chrono::steady_clock::now() < deadline) {
    if (stop_.load(std::memory_order_relaxed)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::fprintf(stderr, "acre: %s: %s; ending this rank\n", process_identity().c_str(),
               this_node().lost_host);
  ::_exit(1);
}

// --- the functions of the runtime ---------------------------------------------

void hand_to_owner(const message& carried, const message& carrier) {
  the_engine->hand_to_owner(carried, charged_units(carrier.header));
}

void hand_to_owner(const message& carried) { the_engine->hand_to_owner(carried, 0); }

bool has_mail() noexcept { return the_engine->has_mail(); }

std::size_t progress_internal() { return the_engine->progress_internal(); }

void defer(deferred_task& task) noexcept { the_engine->defer(task); }

void defer_to_end(deferred_task& task) noexcept { the_engine->defer_to_end(task); }

bool more_is_to_run() noexcept { return runs_of_queue != 0 && the_engine->has_queue(); }

bool runs_for_others() noexcept { return runs_of_others != 0; }

void note_repeated_call() noexcept { the_engine->note_repeated_call(); }

void hold_user_code() noexcept { the_engine->hold_requests(); }

namespace {

/// What a call does that programs repeat until something has happened, and that has found nothing:
/// where ranks share cores, another rank is likely to need this one's.
void yield_now_and_then() {
  static thread_local constinit unsigned in_vain = 0;
  const unsigned vain_calls = crowded() ? 2 : 1000;
  if (++in_vain < vain_calls) return;
  in_vain = 0;
  call_long_wait_hooks();
  count(counted::yield);
  ::sched_yield();
}

}  // namespace

}  // namespace acre::runtime

namespace acre {

std::size_t progress() {
  if (runtime::the_engine == nullptr) return 0;
  runtime::require_may_wait("progress");
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
