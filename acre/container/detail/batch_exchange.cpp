// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/detail/batch_exchange.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/wait.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

namespace acre::container {

/// Entry point of messages, in the receiver's segment.
struct alignas(64) batch_exchange::inbox {
  spin_lock lock;
  batch_exchange* owner;  ///< under the lock; null after destruction
};

struct batch_exchange::arrivals {
  std::array<std::deque<arrival>, 2> of_round;
};

namespace {

constexpr runtime::handler_id batch_message{32};

using fabric::word;

constexpr std::size_t head_bytes = batch_exchange::alignment;

std::atomic_ref<std::uint64_t> busy_word(std::byte* data) noexcept {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(data - head_bytes));
}

batch_exchange::own_bytes allocate_copy(std::size_t bytes) {
  return batch_exchange::own_bytes(
      static_cast<std::byte*>(::operator new(bytes, std::align_val_t(batch_exchange::alignment))));
}

batch_exchange::arrival copied(std::span<const std::byte> batch) {
  batch_exchange::arrival came;
  came.bytes = batch.size();
  came.copy = allocate_copy(batch.size());
  std::memcpy(came.copy.get(), batch.data(), batch.size());
  came.data = came.copy.get();
  return came;
}

// Message: inbox offset, round, bytes; then the data as payload, or a fourth word, their global
// address.

/// Segment offsets of this rank's inboxes; messages to others are rejected. Any thread.
class inbox_places {
 public:
  void add(std::uint64_t offset) {
    const std::lock_guard hold(lock_);
    places_.push_back(offset);
  }
  void remove(std::uint64_t offset) noexcept {
    const std::lock_guard hold(lock_);
    std::erase(places_, offset);
  }
  [[nodiscard]] bool has(std::uint64_t offset) noexcept {
    const std::lock_guard hold(lock_);
    return std::ranges::find(places_, offset) != places_.end();
  }

 private:
  spin_lock lock_;
  std::vector<std::uint64_t> places_;
};

inbox_places& known_inboxes() {
  static auto& made = *new inbox_places;
  return made;
}

[[noreturn]] void throw_no_batch(const runtime::message& received) {
  throw error("distributor", "rank " + std::to_string(received.header.source) +
                                 " sent a batch to a distributor that does not exist on this rank");
}

void receive_batch(const runtime::message& received, runtime::responder&) {
  const auto& words = received.arguments;
  if (!known_inboxes().has(words[0]) || words[1] > 1) throw_no_batch(received);
  batch_exchange::arrival came;
  if (!received.payload.empty()) {
    came = copied(received.payload);
  } else {
    const std::size_t offset = words.size() < 4 ? 0 : words[3] & offset_mask;
    const std::size_t segment = runtime::world.segment_bytes;
    if (offset < head_bytes || offset % alignof(std::uint64_t) != 0 || offset >= segment ||
        words[2] > segment - offset || words[3] >> offset_bits >= size()) {
      throw_no_batch(received);
    }
    came.bytes = words[2];
    came.where = words[3];
    came.busy = came.where - head_bytes;
    came.data = runtime::direct_address(came.where);
  }
  auto& box = *reinterpret_cast<batch_exchange::inbox*>(runtime::world.segment + words[0]);
  const std::lock_guard hold(box.lock);
  if (box.owner != nullptr) box.owner->accept(static_cast<unsigned>(words[1]), std::move(came));
}

[[maybe_unused]] const bool registered =
    runtime::set_builtin_handler(batch_message, receive_batch, {.arguments = 3});

std::size_t choose_buffer_bytes(std::size_t members, std::size_t item_bytes, std::size_t memory) {
  constexpr std::size_t smallest = 1024;
  constexpr std::size_t largest = std::size_t{16} << 10;
  const std::size_t unit = std::max<std::size_t>(item_bytes, 1);
  const std::size_t most = runtime::max_payload();
  std::size_t bytes = std::clamp(memory / (4 * members), smallest, largest);
  bytes = std::min(std::max(bytes, 4 * unit), most) / unit * unit;
  return bytes;  // 0: each item has its own block
}

}  // namespace

batch_exchange::batch_exchange(const team& members, std::size_t item_bytes,
                               const std::type_info& item, std::size_t memory, const site& where)
    : team_object(
          members,
          team_memory(members, sizeof(inbox), alignof(inbox), "distributor",
                      {.number = item_bytes, .unit = "bytes an item", .type = &item}, where),
          "the destructor of the distributor made", where),
      item_bytes_(item_bytes),
      buffer_bytes_(choose_buffer_bytes(members.size(), item_bytes, memory)),
      stride_(head_bytes + round_up(buffer_bytes_, alignment)),
      buffers_(std::max<std::size_t>(memory / stride_, 2)),
      where_(where),
      outgoing_(members.size()),
      sent_(members.size()),
      arrived_(std::make_unique<arrivals>()) {
  const runtime::failures_held until_all_is_done;
  auto* const box = new (this->memory().mine()) inbox{};
  box->owner = this;
  known_inboxes().add(this->memory().bits_of(members.rank()) & offset_mask);
  std::string problem;
  try {
    pool_ = static_cast<std::byte*>(runtime::allocate_private(buffers_ * stride_, alignment));
    for (std::size_t i = 0; i < buffers_; ++i) spare_.push_back(pool_ + i * stride_ + head_bytes);
  } catch (const error& full) {
    problem = full.problem();
  }
  // Afterwards all inboxes are ready.
  const bool some_failed = members.allreduce(!problem.empty(), op::logical_or, where);
  if (some_failed) {
    known_inboxes().remove(this->memory().bits_of(members.rank()) & offset_mask);
    runtime::free_private(pool_);
    give_up();
    throw error("distributor", problem.empty() ? "another rank is out of memory" : problem);
  }
}

std::uint64_t batch_exchange::pushed_in_this_round() const noexcept {
  std::uint64_t bytes = std::accumulate(sent_.begin(), sent_.end(), std::uint64_t{0});
  for (const outgoing& each : outgoing_)
    bytes += static_cast<std::uint64_t>(each.next - each.begin);
  return bytes;
}

void batch_exchange::throw_if_pending() const {
  const std::uint64_t bytes = pushed_in_this_round();
  if (ending_ || bytes == 0) return;
  const std::string items =
      item_bytes_ == 0 ? "items of " : std::to_string(bytes / item_bytes_) + " items of ";
  throw error("distributor::~distributor",
              items + format_size(bytes) +
                  " pushed by this rank are lost because finish() was not called; the distributor "
                  "was made" +
                  describe_place(where_),
              "call finish() on all members at the end of each round, before the distributor and "
              "the job end");
}

batch_exchange::~batch_exchange() {
  if (end().meet(members())) {
    keep_loss();
    try {
      // Other ranks may be in the next round: catch up, then end that one.
      if (ending_) {
        discard();
        next_round();
      }
      begin_end();
      discard();
    } catch (...) {
      runtime::keep_lost_failure(std::current_exception());
    }
  }
  const bool is_over = release();
  auto* const box = reinterpret_cast<inbox*>(
      members() && runtime::world.segment != nullptr
          ? runtime::world.segment + (memory().bits_of(members().rank()) & offset_mask)
          : nullptr);
  if (box != nullptr) {
    const std::lock_guard hold(box->lock);
    box->owner = nullptr;
  }
  if (!is_over) return;
  if (box != nullptr) known_inboxes().remove(runtime::segment_offset(box));
  collect_returned();
  runtime::free_private(pool_);
}

bool batch_exchange::is_of_pool(const std::byte* data) const noexcept {
  return data >= pool_ && data < pool_ + buffers_ * stride_;
}

void batch_exchange::prepare(rank_t member, std::size_t bytes) {
  if (ending_) {
    throw error("distributor::push", "this round is over: finish() has been called",
                "call push() before finish(), or after it for the next round");
  }
  outgoing& to = outgoing_[member];
  if (to.next != to.begin) send(member);
  if (bytes > buffer_bytes_) {
    prepare_large(member, bytes);
  } else if (to.begin == nullptr) {
    to.begin = acquire_buffer();
    to.next = to.begin;
    to.end = to.begin + buffer_bytes_;
  }
}

void batch_exchange::prepare_large(rank_t member, std::size_t bytes) {
  collect_returned();
  auto* const block =
      static_cast<std::byte*>(runtime::allocate_private(head_bytes + bytes, alignment));
  outgoing& to = outgoing_[member];
  if (to.begin != nullptr) spare_.push_back(to.begin);
  to.begin = block + head_bytes;
  to.next = to.begin;
  to.end = to.begin + bytes;
}

void batch_exchange::send(rank_t member) {
  outgoing& to = outgoing_[member];
  const auto bytes = static_cast<std::size_t>(to.next - to.begin);
  // One buffer always stays local, so acquire_buffer() ends.
  const bool in_place =
      !is_of_pool(to.begin) || (memory().direct(member) != nullptr && has_spare());
  if (in_place) {
    std::byte* const data = std::exchange(to, {}).begin;
    sent_[member] += bytes;
    send_in_place(member, data, bytes);
  } else {
    to.next = to.begin;
    sent_[member] += bytes;
    send_copy(member, {to.begin, bytes});
  }
}

void batch_exchange::send_in_place(rank_t member, std::byte* data, std::size_t bytes) {
  busy_word(data).store(1, std::memory_order_relaxed);
  on_their_way_.push_back(data);
  const std::uint64_t where = runtime::global_bits(data);
  if (member == members().rank()) {
    const std::lock_guard hold(own_inbox().lock);
    accept(round_, {.data = data, .where = where, .busy = where - head_bytes, .bytes = bytes});
    return;
  }
  const word words[] = {memory().bits_of(member) & offset_mask, round_, bytes, where};
  runtime::send(members().world_rank(member), batch_message, words);
}

void batch_exchange::send_copy(rank_t member, std::span<const std::byte> batch) {
  if (member == members().rank()) {
    arrival came = copied(batch);
    const std::lock_guard hold(own_inbox().lock);
    accept(round_, std::move(came));
    return;
  }
  const word words[] = {memory().bits_of(member) & offset_mask, round_, batch.size()};
  runtime::send(members().world_rank(member), batch_message, words, batch);
}

batch_exchange::inbox& batch_exchange::own_inbox() const noexcept {
  return *reinterpret_cast<inbox*>(memory().mine());
}

void batch_exchange::recycle(std::byte* data) {
  if (is_of_pool(data)) {
    spare_.push_back(data);
  } else {
    runtime::free_private(data - head_bytes);
  }
}

void batch_exchange::collect_returned() {
  std::erase_if(on_their_way_, [this](std::byte* data) {
    if (busy_word(data).load(std::memory_order_acquire) != 0) return false;
    recycle(data);
    return true;
  });
}

bool batch_exchange::has_spare() {
  if (spare_.empty()) collect_returned();
  return !spare_.empty();
}

std::byte* batch_exchange::acquire_buffer() {
  if (has_spare()) {
    std::byte* const taken = spare_.back();
    spare_.pop_back();
    return taken;
  }
  for (;;) {
    hand_ = hand_ + 1 == members().size() ? 0 : hand_ + 1;
    outgoing& other = outgoing_[hand_];
    if (other.begin == nullptr || !is_of_pool(other.begin)) continue;
    if (other.next != other.begin) send(hand_);
    if (has_spare()) return acquire_buffer();
    return std::exchange(other, {}).begin;
  }
}

void batch_exchange::flush() {
  for (rank_t member = 0; member < outgoing_.size(); ++member) {
    if (outgoing_[member].next != outgoing_[member].begin) send(member);
  }
}

void batch_exchange::accept(unsigned round, arrival&& came) {
  arrived_->of_round[round].push_back(std::move(came));
  waiting_[round].fetch_add(1, std::memory_order_release);
}

bool batch_exchange::take(arrival& into) {
  if (waiting() == 0) return false;
  {
    const std::lock_guard hold(own_inbox().lock);
    auto& arrived = arrived_->of_round[round_];
    into = std::move(arrived.front());
    arrived.pop_front();
    waiting_[round_].fetch_sub(1, std::memory_order_relaxed);
  }
  if (into.data == nullptr) {
    into.copy = allocate_copy(into.bytes);
    try {
      runtime::get_remote(into.where, into.copy.get(), into.bytes);
    } catch (...) {
      // The network may still write to it.
      static_cast<void>(into.copy.release());
      throw;
    }
    into.data = into.copy.get();
  }
  return true;
}

void batch_exchange::give_back(arrival& read) {
  received_ += read.bytes;
  if (read.busy == 0) return;
  if (std::byte* word = runtime::direct_address(read.busy)) {
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(word)).store(0, std::memory_order_release);
  } else {
    runtime::put_remote_word(read.busy, 0, sizeof(std::uint64_t));
  }
}

void batch_exchange::put_back(arrival&& rest) {
  const std::lock_guard hold(own_inbox().lock);
  arrived_->of_round[round_].push_front(std::move(rest));
  waiting_[round_].fetch_add(1, std::memory_order_release);
}

void batch_exchange::begin_end() {
  flush();
  // Pushes reach prepare(), which rejects them.
  for (outgoing& each : outgoing_) {
    if (each.begin != nullptr) recycle(std::exchange(each, {}).begin);
  }
  told_ = sent_;
  counts_ = members().alltoall_async(std::span(told_));
  ending_ = true;
}

bool batch_exchange::is_complete(const char* call, const site& where) {
  if (!knows_end_ && counts_.is_valid() && counts_.is_ready()) {
    const runtime::failures_held until_the_end_is_known;
    try {
      const auto counts = counts_.get();
      expected_ = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    } catch (const error& failure) {
      throw error(call, failure.problem() + describe_place(where), failure.advice());
    }
    knows_end_ = true;
  }
  return knows_end_ && received_ == expected_;
}

void batch_exchange::await_more(const char* what, const site& where) {
  runtime::wait_until([this] { return waiting() != 0 || (!knows_end_ && counts_.is_ready()); },
                      what, runtime::may_run::user_code, where);
}

void batch_exchange::next_round() noexcept {
  ending_ = false;
  knows_end_ = false;
  expected_ = 0;
  received_ = 0;
  std::ranges::fill(sent_, 0);
  round_ ^= 1;
}

void batch_exchange::discard() {
  constexpr const char* call = "distributor::~distributor";
  while (!is_complete(call, where_)) {
    arrival unwanted;
    if (take(unwanted)) {
      give_back(unwanted);
    } else {
      await_more(call, where_);
    }
  }
}

}  // namespace acre::container
