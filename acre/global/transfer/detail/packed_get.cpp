// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/transfer/detail/packed_get.hpp>

#include <acre/base/error.hpp>
#include <acre/global/wire/handler_ids.hpp>
#include <acre/runtime/block_pool.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/lent_address.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/private_block.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/wait.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace acre::global {
namespace {

using fabric::word;
using runtime::handler_id;
using runtime::message;
using runtime::responder;

// Message arguments:
// - request: record, landing (0: absent); payload: runs
// - answer: record, number of runs; payload: their data, unless in the landing

template <std::uint32_t Most>
class places {
 public:
  [[nodiscard]] bool try_take() noexcept {
    if (taken_.fetch_add(1, std::memory_order_acquire) < Most) return true;
    give_back();
    return false;
  }
  void give_back() noexcept { taken_.fetch_sub(1, std::memory_order_release); }

 private:
  std::atomic<std::uint32_t> taken_{0};
};

constinit places<16> pieces_put;

class piece_place {
 public:
  piece_place() noexcept : is_taken_(pieces_put.try_take()) {}
  piece_place(piece_place&& other) noexcept : is_taken_(std::exchange(other.is_taken_, false)) {}
  piece_place& operator=(piece_place&&) = delete;
  ~piece_place() {
    if (is_taken_) pieces_put.give_back();
  }
  [[nodiscard]] explicit operator bool() const noexcept { return is_taken_; }

 private:
  bool is_taken_;
};

struct bring : fabric::operation, runtime::pooled {
  bring(piece_place taken, runtime::private_block room, const runs_there& which) noexcept
      : place(std::move(taken)), packed(std::move(room)) {
    complete = [](fabric::operation& done) noexcept { delete static_cast<bring*>(&done); };
    fabric::pack_remote(packed.get(), which.first(), which.runs);
  }

  piece_place place;
  runtime::private_block packed;
};

/// False if memory is short or 16 puts are pending: the runs are then sent in messages.
[[nodiscard]] bool try_bring(rank_t caller, std::uint64_t landing, const runs_there& which) {
  piece_place taken;
  if (!taken) return false;
  runtime::private_block room = runtime::try_private_block(which.runs.bytes());
  if (room == nullptr) return false;
  auto made = std::make_unique<bring>(std::move(taken), std::move(room), which);
  const runtime::remote_address place(caller, fabric::segment_region, landing);
  if (!runtime::try_put_ahead(place, made->packed.get(), which.runs.bytes(), *made)) return false;
  static_cast<void>(made.release());
  return true;
}

void give_runs(const message& request, responder& respond) {
  runs_there which = runs_there::of(request.payload);
  const word landing = request.arguments[1];
  const bool is_brought = landing != 0 && try_bring(request.header.source, landing, which);
  if (!is_brought) {
    which.runs.count = std::min(which.runs.count, runs_of_message(which.runs.shape.run_bytes()));
  }
  const word words[] = {request.arguments[0], which.runs.count};
  if (is_brought) return respond.reply(handler_ids::box_answer, words);
  const auto packed = std::make_unique_for_overwrite<std::byte[]>(which.runs.bytes());
  fabric::pack_remote(packed.get(), which.first(), which.runs);
  respond.reply(handler_ids::box_answer, words, {packed.get(), which.runs.bytes()});
}

/// True if contiguous in this rank's segment, where the network may write.
[[nodiscard]] bool lands_in_place(const fabric::box_part& runs,
                                  const std::byte* destination) noexcept {
  return runs.shape.is_dense_here() && runtime::in_segment(destination);
}
[[nodiscard]] std::size_t most_in_place() noexcept {
  constexpr std::size_t most = 2 * stage_bytes;
  return runtime::may_put_ahead(most) ? most : stage_bytes;
}

constinit places<16> landings;

class packed_get : public runtime::pooled {
 public:
  packed_get(const runs_there& source, std::byte* destination, box_share share) noexcept
      : left_(source), destination_(destination), share_(std::move(share)) {}
  ~packed_get() {
    if (lent_ == nullptr) return;
    lent_.reset();
    landings.give_back();
  }
  packed_get(const packed_get&) = delete;
  packed_get& operator=(const packed_get&) = delete;

  /// Uses the destination if contiguous in this rank's segment, else waits for a landing. Null
  /// without memory.
  void acquire_landing() {
    const fabric::box_part& runs = left_.runs;
    if (lands_in_place(runs, destination_)) {
      landing_ = destination_ + runs.first * runs.shape.run_bytes();
      return;
    }
    runtime::until_room([] { return landings.try_take(); }, "get_strided");
    lent_ = runtime::try_private_block(runs.bytes());
    landing_ = lent_.get();
    if (landing_ == nullptr) landings.give_back();
  }

  template <class Send>
  void ask(rank_t owner, Send&& send) {
    const std::array<word, 2> words{
        runtime::lend(this, owner, handler_ids::box_answer),
        landing_ == nullptr ? word{0} : word{runtime::segment_offset(landing_)}};
    send(handler_ids::box_request, words, left_.as_payload());
  }

  /// @return true if complete
  [[nodiscard]] bool take(std::size_t runs, std::span<const std::byte> payload, rank_t from) {
    fabric::box_part& left = left_.runs;
    const bool is_whole =
        payload.empty() ? landing_ != nullptr : payload.size() == runs * left.shape.run_bytes();
    if (runs == 0 || runs > left.count || !is_whole) {
      throw error("get_strided",
                  "rank " + std::to_string(from) + " answered with other runs than requested");
    }
    const bool is_in_place = landing_ != nullptr && lent_ == nullptr;
    if (!payload.empty() || !is_in_place) {
      fabric::unpack_local(destination_, payload.empty() ? landing_ : payload.data(),
                           {left.shape, left.first, runs});
    }
    if (is_in_place) landing_ += runs * left.shape.run_bytes();
    left.first += runs;
    left.count -= runs;
    return left.count == 0;
  }

 private:
  runs_there left_;
  std::byte* destination_;
  std::byte* landing_ = nullptr;
  runtime::private_block lent_;
  box_share share_;
};

void receive_runs(const message& answer, responder& respond) {
  const rank_t owner = answer.header.source;
  auto* const get = &runtime::returned<packed_get>(answer.header, answer.arguments[0]);
  if (get->take(answer.arguments[1], answer.payload, owner)) {
    delete get;
    return runtime::count_answer(false);
  }
  get->ask(owner,
           [&](handler_id handler, std::span<const word> words,
               std::span<const std::byte> payload) { respond.reply(handler, words, payload); });
}

[[maybe_unused]] const bool packed_gets_registered =
    runtime::set_builtin_handler(handler_ids::box_request, give_runs,
                                 {.arguments = 2, .payload_bytes = sizeof(runs_there)}) &&
    runtime::set_builtin_handler(handler_ids::box_answer, receive_runs, {.arguments = 2});

void start(rank_t owner, std::unique_ptr<packed_get> get) {
  runtime::begin_posted();
  try {
    get->ask(owner, [&](handler_id handler, std::span<const word> words,
                        std::span<const std::byte> payload) {
      runtime::send(owner, handler, words, payload);
    });
  } catch (...) {
    runtime::cancel_posted();
    throw;
  }
  static_cast<void>(get.release());
}

}  // namespace

void get_packed(rank_t owner, const runs_there& source, std::byte* destination,
                const box_share& share) {
  const std::size_t run_bytes = source.runs.shape.run_bytes();
  const bool has_landings = is_staged(source.runs.bytes());
  const std::size_t most = lands_in_place(source.runs, destination) ? most_in_place() : stage_bytes;
  const std::size_t runs = has_landings ? most / run_bytes : runs_of_message(run_bytes);
  each_part(source, runs, [&](const runs_there& part) {
    auto get = std::make_unique<packed_get>(part, destination, share);
    if (has_landings) get->acquire_landing();
    start(owner, std::move(get));
  });
}

}  // namespace acre::global
