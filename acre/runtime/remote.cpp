#include <acre/runtime/remote.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/static_data.hpp>
#include <acre/runtime/wait.hpp>

#include <cstring>
#include <string>

namespace acre::runtime {

constinit posted_atomics network_atomics;

namespace {

using fabric::atomic_operation;
using fabric::atomic_type;
using fabric::word;

// --- atomics as messages ----------------------------------------------------------
// request: operation, type and region, offset, operand, expected, record (0: none)
// reply:   record, value before, whether it was possible

/// @return null when there is none
std::byte* address_of_word(fabric::region_key region, std::uint64_t offset, std::size_t bytes) {
  std::byte* address = nullptr;
  if (region == fabric::segment_region && offset < world.segment_bytes) {
    address = world.segment + offset;
  } else if (region == fabric::window_region && world.window != nullptr) {
    const std::size_t data = static_data_pages().size();
    const std::uint64_t segment = window_gap;
    if (offset < data || (offset >= segment && offset < segment + world.segment_bytes)) {
      address = world.window + offset;
    }
  }
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0 ? address : nullptr;
}

void execute_atomic(const message& received, responder& answer) {
  const auto operation = static_cast<atomic_operation>(received.arguments[0] & 0xff);
  const auto type = static_cast<atomic_type>(received.arguments[0] >> 8 & 0xff);
  std::byte* const target =
      address_of_word(static_cast<fabric::region_key>(received.arguments[0] >> 16),
                      received.arguments[1], size_of(type));
  word before = 0;
  const bool possible =
      target != nullptr &&
      apply_atomic(operation, type, target, received.arguments[2], received.arguments[3], before);
  const word words[] = {received.arguments[4], before, possible ? word{1} : word{0}};
  answer.reply(handler_id::atomic_reply, words);
}

/// Of a posted one.
void count_answer(bool refused) noexcept {
  auto& answered = refused ? network_atomics.refused : network_atomics.acknowledged;
  answered.fetch_add(1, std::memory_order_release);
}

void finish_atomic(const message& received, responder&) {
  const bool refused = received.arguments[2] == 0;
  auto* record = reinterpret_cast<remote_atomic*>(received.arguments[0]);
  if (record == nullptr) return count_answer(refused);
  record->before = received.arguments[1];
  record->refused = refused;
  record->complete(*record);
}

[[maybe_unused]] const bool registered =
    set_builtin_handler(handler_id::atomic_request, execute_atomic) &&
    set_builtin_handler(handler_id::atomic_reply, finish_atomic);

void send_atomic(atomic_operation operation, atomic_type type, remote_address place, word operand,
                 word expected, remote_atomic* record) {
  count(counted::network_atomic);
  const word words[] = {static_cast<word>(operation) | static_cast<word>(type) << 8 |
                            static_cast<word>(place.region) << 16,
                        place.offset, operand, expected, reinterpret_cast<word>(record)};
  // Sending is no access to memory: only the fence keeps a sequentially
  // consistent store of this thread before what happens at the target.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  send(place.rank, handler_id::atomic_request, words);
}

/// Posted atomics under way at once: without a bound some providers lose messages.
constexpr std::uint64_t most_posted = 1024;

/// Those that nobody has answered, or refused.
std::uint64_t posted_under_way() noexcept {
  const std::uint64_t answered = network_atomics.acknowledged.load(std::memory_order_acquire) +
                                 network_atomics.refused.load(std::memory_order_acquire);
  return network_atomics.posted.load(std::memory_order_relaxed) - answered;
}

void begin_posted_atomic() {
  until_room([] { return posted_under_way() < most_posted; }, "room for an atomic operation");
  network_atomics.posted.fetch_add(1, std::memory_order_relaxed);
}

/// But for posted atomics that were refused.
bool all_answered() noexcept {
  if (!network_is_quiet()) {
    the_engine->note_poll();
    if (!ask_network_is_quiet()) return false;
  }
  return posted_under_way() == 0;
}

template <class Issue>
void issue_all(std::span<const fabric::extent> pieces, const char* what, Issue&& issue) {
  while (!pieces.empty()) {
    std::size_t issued = 0;
    until_room([&] { return (issued = issue(pieces)) != 0; }, what);
    pieces = pieces.subspan(issued);
  }
}

}  // namespace

void retry_put_small(ssize_t result, remote_address place, const void* source, std::size_t bytes) {
  if (world.network->refused(result, place.rank)) return;
  retry_until(
      [=] { return world.network->try_put(place.rank, place.region, place.offset, source, bytes); },
      "put");
}

void retry_put_word(ssize_t result, remote_address place, std::uint64_t value, std::size_t bytes) {
  retry_put_small(result, place, &value, bytes);
}

void get_remote_nbi(remote_address place, void* destination, std::size_t bytes) {
  count(counted::network_get);
  count(counted::network_get_bytes, bytes);
  until_room(
      [&] {
        return world.network->try_get(place.rank, place.region, place.offset, destination, bytes);
      },
      "get");
}

void put_remote(remote_address place, const void* source, std::size_t bytes,
                fabric::operation& done) {
  count(counted::network_put);
  count(counted::network_put_bytes, bytes);
  until_room(
      [&] {
        return world.network->try_put(place.rank, place.region, place.offset, source, bytes, done);
      },
      "put");
}

void get_remote(remote_address place, void* destination, std::size_t bytes,
                fabric::operation& done) {
  count(counted::network_get);
  count(counted::network_get_bytes, bytes);
  until_room(
      [&] {
        return world.network->try_get(place.rank, place.region, place.offset, destination, bytes,
                                      done);
      },
      "get");
}

void put_remote_word(remote_address place, std::uint64_t value, std::size_t bytes) {
  put_remote_value(place, &value, bytes);
}

void put_remote_value(remote_address place, const void* source, std::size_t bytes) {
  const awaited<fabric::operation> put(bytes, [=](fabric::operation& done, std::byte* copy) {
    std::memcpy(copy, source, bytes);
    put_remote(place, copy, bytes, done);
  });
  put.wait("put");
}

void get_remote_value(remote_address place, void* destination, std::size_t bytes) {
  const awaited<fabric::operation> get(bytes, [=](fabric::operation& done, std::byte* copy) {
    get_remote(place, copy, bytes, done);
  });
  get.wait("get");
  std::memcpy(destination, get.room(), bytes);
}

void put_remote(remote_address place, const void* source, std::size_t bytes) {
  const awaited<fabric::operation> put(
      0, [=](fabric::operation& done, std::byte*) { put_remote(place, source, bytes, done); });
  put.wait("put");
}

void get_remote(remote_address place, void* destination, std::size_t bytes) {
  const awaited<fabric::operation> get(
      0, [=](fabric::operation& done, std::byte*) { get_remote(place, destination, bytes, done); });
  get.wait("get");
}

void put_remote_nbi(rank_t target, std::span<const fabric::extent> pieces,
                    fabric::region_key region) {
  count(counted::network_put, pieces.size());
  for (const auto& piece : pieces) count(counted::network_put_bytes, piece.bytes);
  issue_all(pieces, "put",
            [&](auto rest) { return world.network->try_put_pieces(target, region, rest); });
}

void get_remote_nbi(rank_t target, std::span<const fabric::extent> pieces,
                    fabric::region_key region) {
  count(counted::network_get, pieces.size());
  for (const auto& piece : pieces) count(counted::network_get_bytes, piece.bytes);
  issue_all(pieces, "get",
            [&](auto rest) { return world.network->try_get_pieces(target, region, rest); });
}

void throw_refused_atomic() {
  throw error("atomic operation",
              "the target refused a misaligned address or one outside its segment",
              "use pointers from allocate() and natural alignment");
}

void start_remote_atomic(atomic_operation operation, atomic_type type, remote_address place,
                         word operand, word expected, remote_atomic& record) {
  send_atomic(operation, type, place, operand, expected, &record);
}

word run_remote_atomic(atomic_operation operation, atomic_type type, remote_address place,
                       word operand, word expected) {
  const awaited<remote_atomic> atomic(0, [=](remote_atomic& record, std::byte*) {
    send_atomic(operation, type, place, operand, expected, &record);
  });
  atomic.wait("atomic operation");
  if (atomic->refused) throw_refused_atomic();
  return atomic->before;
}

void post_remote_atomic(atomic_operation operation, atomic_type type, remote_address place,
                        word operand) {
  begin_posted_atomic();
  send_atomic(operation, type, place, operand, 0, nullptr);
}

void fetch_remote_atomic_nbi(atomic_operation operation, atomic_type type, remote_address place,
                             word operand, word expected, void* result) {
  begin_posted_atomic();
  finish_anywhere<remote_atomic>(
      [result, bytes = size_of(type)](const remote_atomic& finished) noexcept {
        if (!finished.refused) std::memcpy(result, &finished.before, bytes);
        count_answer(finished.refused);
      },
      [=](remote_atomic& record, auto&) {
        send_atomic(operation, type, place, operand, expected, &record);
      });
}

void await_quiet() {
  wait_until(all_answered, "quiet", may_run::internal);
  const std::uint64_t refused = network_atomics.refused.exchange(0, std::memory_order_relaxed);
  if (refused == 0) return;
  network_atomics.acknowledged.fetch_add(refused, std::memory_order_relaxed);
  throw_refused_atomic();
}

}  // namespace acre::runtime
