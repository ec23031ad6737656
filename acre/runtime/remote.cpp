// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/remote.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/box.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/lent_address.hpp>
#include <acre/runtime/put_message.hpp>
#include <acre/runtime/static_data.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace acre::runtime {

namespace {

using fabric::atomic_operation;
using fabric::atomic_type;
using fabric::wide_word;
using fabric::word;

// Words of messages:
//   request: operation, type and region; offset; operand; expected; record or 0;
//            high words of operand and expected, for types of 16 bytes
//   reply: record; value before; success; high word of the value, for types of 16 bytes

constexpr std::size_t narrow_request = 5;
constexpr std::size_t wide_request = 7;

std::byte* address_of_word(fabric::region_key region, std::uint64_t offset, std::size_t bytes) {
  std::byte* const address = address_here(region, offset, bytes);
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0 ? address : nullptr;
}

void execute_atomic(const message& received, responder& answer) {
  const auto operation = static_cast<atomic_operation>(received.arguments[0] & 0xff);
  const auto type = static_cast<atomic_type>(received.arguments[0] >> 8 & 0xff);
  const bool wide = size_of(type) == sizeof(wide_word);
  std::byte* const target =
      address_of_word(static_cast<fabric::region_key>(received.arguments[0] >> 16),
                      received.arguments[1], size_of(type));
  wide_word operand{received.arguments[2], 0};
  wide_word expected{received.arguments[3], 0};
  const bool complete = !wide || received.arguments.size() >= wide_request;
  if (wide && complete) {
    operand.high = received.arguments[5];
    expected.high = received.arguments[6];
  }
  wide_word before;
  const bool possible = target != nullptr && complete &&
                        apply_atomic(operation, type, target, operand, expected, before);
  const word words[] = {received.arguments[4], before.low, possible ? word{1} : word{0},
                        before.high};
  answer.reply(handler_ids::atomic_reply, std::span(words, wide ? 4 : 3));
}

void finish_atomic(const message& received, responder&) {
  const bool refused = received.arguments[2] == 0;
  auto* const record = returned_or_null<remote_atomic>(received.header, received.arguments[0]);
  if (record == nullptr) return count_answer(refused);
  record->before = {received.arguments[1],
                    received.arguments.size() > 3 ? received.arguments[3] : 0};
  record->refused = refused;
  record->complete(*record);
}

[[maybe_unused]] const bool atomics_registered =
    set_builtin_handler(handler_ids::atomic_request, execute_atomic,
                        {.arguments = narrow_request}) &&
    set_builtin_handler(handler_ids::atomic_reply, finish_atomic, {.arguments = 3});

void send_atomic(atomic_operation operation, atomic_type type, remote_address place,
                 wide_word operand, wide_word expected, remote_atomic* record) {
  count(counted::network_atomic);
  const word words[] = {static_cast<word>(operation) | static_cast<word>(type) << 8 |
                            static_cast<word>(place.region) << 16,
                        place.offset,
                        operand.low,
                        expected.low,
                        lend(record, place.rank, handler_ids::atomic_reply),
                        operand.high,
                        expected.high};
  // Sending is not a memory access: the fence orders earlier sequentially consistent stores before
  // it.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  send(place.rank, handler_ids::atomic_request,
       std::span(words, size_of(type) == sizeof(wide_word) ? wide_request : narrow_request));
}

template <class Send>
void post(Send&& send) {
  begin_posted();
  try {
    send();
  } catch (...) {
    cancel_posted();
    throw;
  }
}

bool all_answered(bool (&ask)()) {
  if (!network_is_quiet()) {
    the_engine->note_poll();
    if (!ask()) return false;
  }
  return posted_under_way() == 0;
}
bool ask_all_are_complete() { return ask_network_is_quiet(); }

template <class Issue>
void in_pieces(std::size_t bytes, Issue&& issue) {
  const std::size_t most = world.conduit->offers().max_transfer;
  for (std::size_t begin = 0; begin < bytes; begin += std::min(most, bytes - begin)) {
    issue(static_cast<std::ptrdiff_t>(begin), std::min(most, bytes - begin));
  }
}

[[nodiscard]] bool fits_one_transfer(std::size_t bytes) noexcept {
  return bytes <= fabric::least_max_transfer || bytes <= world.conduit->offers().max_transfer;
}

/// The last piece to complete deletes this and completes the whole operation. After give_up(),
/// because some pieces were not issued, it only deletes.
class split_operation {
 public:
  split_operation(std::size_t pieces, fabric::operation& whole)
      : pieces_(pieces), left_(pieces), whole_(&whole) {
    for (piece& each : pieces_) {
      each.all = this;
      each.complete = [](fabric::operation& done) noexcept {
        static_cast<piece&>(done).all->count_down(1);
      };
    }
  }

  [[nodiscard]] fabric::operation& operator[](std::size_t number) noexcept {
    return pieces_[number];
  }

  void give_up(std::size_t pieces) noexcept {
    whole_.store(nullptr, std::memory_order_relaxed);
    count_down(pieces);
  }

 private:
  struct piece : fabric::operation {
    split_operation* all = nullptr;
  };

  void count_down(std::size_t pieces) noexcept {
    if (left_.fetch_sub(pieces, std::memory_order_acq_rel) != pieces) return;
    fabric::operation* const whole = whole_.load(std::memory_order_relaxed);
    delete this;
    if (whole != nullptr) whole->complete(*whole);
  }

  std::vector<piece> pieces_;
  std::atomic<std::size_t> left_;
  std::atomic<fabric::operation*> whole_;
};

template <class IssueAll>
void split(std::size_t pieces, fabric::operation& done, IssueAll&& issue_all) {
  auto* const pieces_under_way = new split_operation(pieces, done);
  std::size_t given = 0;
  try {
    issue_all([&](auto&& issue) {
      issue((*pieces_under_way)[given]);
      ++given;
    });
  } catch (...) {
    pieces_under_way->give_up(pieces - given);
    if (given == 0) throw;
    // Issued pieces use memory that must outlive this frame: the waiting call fails and abandons
    // its record.
    the_engine->keep_network_failure();
  }
}  // Deleted by the last piece. NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)

template <class Issue>
void in_pieces(std::size_t bytes, fabric::operation& done, Issue&& issue) {
  const std::size_t most = world.conduit->offers().max_transfer;
  split((bytes - 1) / most + 1, done, [&](auto&& next) {
    in_pieces(bytes, [&](std::ptrdiff_t begin, std::size_t size) {
      next([&](fabric::operation& piece) { issue(begin, size, piece); });
    });
  });
}

template <class Issue>
void in_runs(const fabric::box& shape, fabric::operation& done, Issue&& issue) {
  split(shape.runs(), done, [&](auto&& next) {
    for (fabric::box::walk at(shape); at.left() != 0; at.next()) {
      next([&](fabric::operation& run) { issue(at.remote(), at.local(), run); });
    }
  });
}

const std::byte* advance(const void* base, std::ptrdiff_t bytes) noexcept {
  return static_cast<const std::byte*>(base) + bytes;
}
std::byte* advance(void* base, std::ptrdiff_t bytes) noexcept {
  return static_cast<std::byte*>(base) + bytes;
}
remote_address advance(remote_address place, std::ptrdiff_t bytes) noexcept {
  return {place.rank, place.region, place.offset + static_cast<std::uint64_t>(bytes)};
}

void issue_put(remote_address place, const void* source, std::size_t bytes) {
  until_room(
      [=] { return world.conduit->try_put(place.rank, place.region, place.offset, source, bytes); },
      "put");
}
void issue_get(remote_address place, void* destination, std::size_t bytes) {
  until_room(
      [=] {
        return world.conduit->try_get(place.rank, place.region, place.offset, destination, bytes);
      },
      "get");
}
void issue_put(remote_address place, const void* source, std::size_t bytes,
               fabric::operation& done) {
  until_room(
      [&] {
        return world.conduit->try_put(place.rank, place.region, place.offset, source, bytes, done);
      },
      "put");
}
void issue_get(remote_address place, void* destination, std::size_t bytes,
               fabric::operation& done) {
  until_room(
      [&] {
        return world.conduit->try_get(place.rank, place.region, place.offset, destination, bytes,
                                      done);
      },
      "get");
}
void issue_large_get(remote_address place, void* destination, std::size_t bytes) {
  in_pieces(bytes, [&](std::ptrdiff_t begin, std::size_t size) {
    issue_get(advance(place, begin), advance(destination, begin), size);
  });
}

/// `issue(first)` returns the number of runs issued; `issue_run` issues one above the conduit's
/// limit.
template <class Issue, class IssueRun>
void issue_box(const fabric::box& shape, const char* what, Issue&& issue, IssueRun&& issue_run) {
  if (!fits_one_transfer(shape.run_bytes())) {
    for (fabric::box::walk at(shape); at.left() != 0; at.next()) issue_run(at.remote(), at.local());
    return;
  }
  for (std::size_t first = 0; first < shape.runs();) {
    std::size_t issued = 0;
    until_room([&] { return (issued = issue(first)) != 0; }, what);
    first += issued;
  }
}

}  // namespace

std::byte* address_here(fabric::region_key region, std::uint64_t offset,
                        std::size_t bytes) noexcept {
  const auto lies_in = [&](std::uint64_t begin, std::uint64_t size) {
    return offset >= begin && bytes <= size && offset - begin <= size - bytes;
  };
  if (region == fabric::segment_region && lies_in(0, world.segment_bytes)) {
    return world.segment + offset;
  }
  if (region == fabric::window_region && world.window != nullptr &&
      (lies_in(0, static_data_pages().size()) || lies_in(window_gap, world.segment_bytes))) {
    return world.window + offset;
  }
  return nullptr;
}

void retry_put_small(ssize_t result, remote_address place, const void* source, std::size_t bytes) {
  static_cast<void>(world.conduit->refused(result, place.rank));
  retry_until(
      [=] { return world.conduit->try_put(place.rank, place.region, place.offset, source, bytes); },
      "put");
}

void retry_put_word(ssize_t result, remote_address place, std::uint64_t value, std::size_t bytes) {
  retry_put_small(result, place, &value, bytes);
}

void issue_large_put_nbi(remote_address place, const void* source, std::size_t bytes) {
  in_pieces(bytes, [&](std::ptrdiff_t begin, std::size_t size) {
    issue_put(advance(place, begin), advance(source, begin), size);
  });
}

void get_remote_nbi(remote_address place, void* destination, std::size_t bytes) {
  count(counted::network_get);
  count(counted::network_get_bytes, bytes);
  issue_large_get(place, destination, bytes);
}

void put_remote(remote_address place, const void* source, std::size_t bytes,
                fabric::operation& done) {
  count(counted::network_put);
  count(counted::network_put_bytes, bytes);
  if (fits_one_transfer(bytes)) return issue_put(place, source, bytes, done);
  in_pieces(bytes, done, [&](std::ptrdiff_t begin, std::size_t size, fabric::operation& piece) {
    issue_put(advance(place, begin), advance(source, begin), size, piece);
  });
}

void get_remote(remote_address place, void* destination, std::size_t bytes,
                fabric::operation& done) {
  count(counted::network_get);
  count(counted::network_get_bytes, bytes);
  if (fits_one_transfer(bytes)) return issue_get(place, destination, bytes, done);
  in_pieces(bytes, done, [&](std::ptrdiff_t begin, std::size_t size, fabric::operation& piece) {
    issue_get(advance(place, begin), advance(destination, begin), size, piece);
  });
}

bool may_put_ahead(std::size_t bytes) noexcept {
  return world.conduit->offers().messages_follow_puts && fits_one_transfer(bytes);
}

bool try_put_ahead(remote_address place, const void* source, std::size_t bytes,
                   fabric::operation& sent) {
  if (!world.conduit->try_put_ahead(place.rank, place.region, place.offset, source, bytes, sent)) {
    return false;
  }
  count(counted::network_put);
  count(counted::network_put_bytes, bytes);
  return true;
}

void put_ahead(remote_address place, const void* source, std::size_t bytes,
               fabric::operation& sent) {
  until_room([&] { return try_put_ahead(place, source, bytes, sent); }, "put");
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

void put_remote_nbi(remote_address place, const void* source, const fabric::box& shape) {
  count(counted::network_put, shape.runs());
  count(counted::network_put_bytes, shape.bytes());
  issue_box(
      shape, "put",
      [&](std::size_t first) {
        return world.conduit->try_put_box(place.rank, place.region, place.offset, source, shape,
                                          first);
      },
      [&](std::ptrdiff_t remote, std::ptrdiff_t local) {
        issue_large_put_nbi(advance(place, remote), advance(source, local), shape.run_bytes());
      });
}

void get_remote_nbi(remote_address place, void* destination, const fabric::box& shape) {
  count(counted::network_get, shape.runs());
  count(counted::network_get_bytes, shape.bytes());
  issue_box(
      shape, "get",
      [&](std::size_t first) {
        return world.conduit->try_get_box(place.rank, place.region, place.offset, destination,
                                          shape, first);
      },
      [&](std::ptrdiff_t remote, std::ptrdiff_t local) {
        issue_large_get(advance(place, remote), advance(destination, local), shape.run_bytes());
      });
}

void put_remote(remote_address place, const void* source, const fabric::box& shape,
                fabric::operation& done) {
  in_runs(shape, done, [&](std::ptrdiff_t remote, std::ptrdiff_t local, fabric::operation& run) {
    put_remote(advance(place, remote), advance(source, local), shape.run_bytes(), run);
  });
}

void get_remote(remote_address place, void* destination, const fabric::box& shape,
                fabric::operation& done) {
  in_runs(shape, done, [&](std::ptrdiff_t remote, std::ptrdiff_t local, fabric::operation& run) {
    get_remote(advance(place, remote), advance(destination, local), shape.run_bytes(), run);
  });
}

void throw_refused_atomic() {
  throw error("atomic operation",
              "the target refused an address that is misaligned or outside its segment",
              "use pointers from allocate() and natural alignment");
}

void start_remote_atomic(atomic_operation operation, atomic_type type, remote_address place,
                         wide_word operand, wide_word expected, remote_atomic& record) {
  send_atomic(operation, type, place, operand, expected, &record);
}

wide_word run_remote_atomic(atomic_operation operation, atomic_type type, remote_address place,
                            wide_word operand, wide_word expected) {
  const awaited<remote_atomic> atomic(0, [=](remote_atomic& record, std::byte*) {
    send_atomic(operation, type, place, operand, expected, &record);
  });
  atomic.wait("atomic operation");
  if (atomic->refused) throw_refused_atomic();
  return atomic->before;
}
word run_remote_atomic(atomic_operation operation, atomic_type type, remote_address place,
                       word operand, word expected) {
  return run_remote_atomic(operation, type, place, wide_word{operand, 0}, wide_word{expected, 0})
      .low;
}

void post_remote_atomic(atomic_operation operation, atomic_type type, remote_address place,
                        wide_word operand, wide_word expected) {
  post([&] { send_atomic(operation, type, place, operand, expected, nullptr); });
}
void post_remote_atomic(atomic_operation operation, atomic_type type, remote_address place,
                        word operand, word expected) {
  post_remote_atomic(operation, type, place, wide_word{operand, 0}, wide_word{expected, 0});
}

void fetch_remote_atomic_nbi(atomic_operation operation, atomic_type type, remote_address place,
                             word operand, word expected, void* result) {
  post([&] {
    finish_anywhere<remote_atomic>(
        [result, bytes = size_of(type)](const remote_atomic& finished) noexcept {
          if (!finished.refused) std::memcpy(result, &finished.before, bytes);
          count_answer(finished.refused);
        },
        [=](remote_atomic& record, auto&) {
          send_atomic(operation, type, place, {operand, 0}, {expected, 0}, &record);
        });
  });
}

bool gets_need_a_processor() noexcept { return world.conduit->offers().software_gets; }

namespace {

[[gnu::noinline]] void wait_until_quiet(bool (&ask)()) {
  bool is_quiet = false;
  while (!is_quiet) {
    ask_targets_of_puts();
    wait_until([&] { return (is_quiet = all_answered(ask)) || has_targets_to_ask(); }, "quiet",
               may_run::internal);
  }
  const std::uint64_t refused = network_atomics.refused.exchange(0, std::memory_order_relaxed);
  if (refused == 0) return;
  // Release: a thread that sees the sum must not add `refused` again.
  network_atomics.acknowledged.fetch_add(refused, std::memory_order_release);
  throw_refused_atomic();
}

}  // namespace

void await_quiet() {
  // Often the operations are complete, but this rank has not noticed it.
  if (ask_network_is_quiet() && !atomics_outstanding()) return;
  wait_until_quiet(ask_all_are_complete);
}

void await_puts() {
  if (ask_puts_are_complete() && !atomics_outstanding()) return;
  wait_until_quiet(ask_puts_are_complete);
}

}  // namespace acre::runtime
