// SPDX-License-Identifier: BSD-3-Clause
#include <apps/genome/chunk_supply.hpp>

#include <apps/genome/warning.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace acre::genome {
namespace {

/// Small, so that ranks sharing a reader finish together.
constexpr std::size_t chunk_bytes = std::size_t{512} << 10;
constexpr std::size_t orders_ahead = 2;

chunk_supply* the_supply = nullptr;

void free_chunk(global_ptr<char> text) { deallocate(text); }

}  // namespace

struct chunk_supply::source {
  std::span<const input> inputs;
  std::vector<piece> parts;
  unsigned k = 0;
  std::size_t begun = 0;
  std::optional<chunk_source> chunks{};
  std::uint64_t budget = 0;

  void begin_round(std::uint64_t bytes) { budget = std::max<std::uint64_t>(bytes, chunk_bytes); }
  void end_round() { budget = 0; }

  [[nodiscard]] bool has_ended() const { return begun == parts.size() && !chunks; }

  [[nodiscard]] bool is_open() const { return !has_ended() && budget >= chunk_bytes; }

  bool next(chunk& out) {
    while (is_open()) {
      if (!chunks) {
        const piece& part = parts[begun++];
        chunks.emplace(inputs[part.file], part, k, chunk_bytes);
      }
      if (chunks->next(out)) {
        budget -= std::min<std::uint64_t>(budget, out.text.size());
        return true;
      }
      const input& read = inputs[parts[begun - 1].file];
      if (const std::string problem = chunks->warning(); !problem.empty()) {
        warn_once(read.path, problem);
      }
      if (!read.divisible && chunks->was_empty())
        warn_once(read.path, "the file is empty and is ignored");
      chunks.reset();
    }
    return false;
  }
};

chunk_supply::chunk_supply(std::span<const input> inputs, unsigned k) {
  std::vector<piece> ranges;
  std::vector<piece> streams;
  std::uint64_t bytes = 0;
  for (const piece& part : share_of(inputs, rank(), size())) {
    const bool is_range = inputs[part.file].divisible;
    (is_range ? ranges : streams).push_back(part);
    bytes += is_range ? part.end - part.begin : 0;
  }
  least_round_ = std::min<std::uint64_t>(bytes, chunk_bytes) + (streams.empty() ? 0 : chunk_bytes);
  if (!ranges.empty()) ranges_.push_back({.inputs = inputs, .parts = std::move(ranges), .k = k});
  if (!streams.empty()) streams_.push_back({.inputs = inputs, .parts = std::move(streams), .k = k});
  const auto counts = world().allgather(static_cast<unsigned>(streams_.size()));
  for (rank_t r = 0; r < counts.size(); ++r) {
    if (counts[r] != 0 && r != rank()) readers_.push_back(r);
  }
  if (!readers_.empty()) {
    std::rotate(readers_.begin(), readers_.begin() + rank() % readers_.size(), readers_.end());
  }
  source_count_ = world().allreduce(static_cast<unsigned>(ranges_.size() + streams_.size()));
  least_round_ = world().allreduce(least_round_);
  the_supply = this;
  barrier();
}

chunk_supply::~chunk_supply() {
  if (std::uncaught_exceptions() > 0) {
    // A damaged file ends the job. Without answers to waiting ranks, this rank's error is reported.
    static std::deque<promise<delivery>> unanswered;
    unanswered = std::move(customers_);
  }
  for (const delivery& left : shelf_) deallocate(left.text);
  the_supply = nullptr;
}

void chunk_supply::begin_round(std::uint64_t bytes) {
  for (auto* sources : {&ranges_, &streams_}) {
    for (source& each : *sources) each.begin_round(bytes / source_count_);
  }
  open_readers_ = readers_;
  ++round_;
  barrier();
}

void chunk_supply::end_round() {
  give_back();
  for (auto* sources : {&ranges_, &streams_}) {
    for (source& each : *sources) each.end_round();
  }
  answer_customers();
}

bool chunk_supply::more() const {
  const auto left = [](const source& each) { return !each.has_ended(); };
  const bool here = std::ranges::any_of(ranges_, left) || std::ranges::any_of(streams_, left) ||
                    !shelf_.empty() || !orders_.empty();
  return world().allreduce(here ? 1 : 0, op::max) != 0;
}

bool chunk_supply::next(supplied_text& out) {
  give_back();
  progress();
  return next_of_mine(out) || next_of_others(out);
}

bool chunk_supply::next_of_mine(supplied_text& out) {
  // Only this rank can serve others.
  restock(2 * (size() - 1));
  answer_customers();
  for (source& each : ranges_) {
    if (!each.next(own_)) continue;
    out = {.text = own_.text, .origin = own_.origin};
    return true;
  }
  restock(1);
  if (shelf_.empty()) {
    answer_customers();
    return false;
  }
  const delivery taken = pop_from_shelf();
  borrowed_ = taken.text;
  out = {.text = {taken.text.local(), taken.bytes}, .origin = taken.origin};
  return true;
}

void chunk_supply::restock(std::size_t ready) {
  for (source& stream : streams_) {
    while (shelf_.size() < ready + customers_.size() && stream.next(own_)) {
      const global_ptr<char> text = allocate<char>(own_.text.size() + 1);
      std::memcpy(text.local(), own_.text.data(), own_.text.size());
      shelf_.push_back({.text = text, .bytes = own_.text.size(), .origin = own_.origin});
      if (!customers_.empty()) answer_customers();
      progress();
    }
  }
}

chunk_supply::delivery chunk_supply::pop_from_shelf() {
  const delivery taken = the_supply->shelf_.front();
  the_supply->shelf_.pop_front();
  return taken;
}

bool chunk_supply::sold_out() const {
  return shelf_.empty() &&
         std::ranges::none_of(streams_, [](const source& each) { return each.is_open(); });
}

/// With an empty shelf the request waits.
future<chunk_supply::delivery> chunk_supply::serve() {
  if (!the_supply->shelf_.empty()) return make_ready_future(pop_from_shelf());
  if (the_supply->sold_out()) return make_ready_future(delivery{});
  return the_supply->customers_.emplace_back().get_future();
}

void chunk_supply::answer_customers() {
  while (!customers_.empty() && (!shelf_.empty() || sold_out())) {
    promise<delivery> customer = std::move(customers_.front());
    customers_.pop_front();
    customer.set_value(shelf_.empty() ? delivery{} : pop_from_shelf());
  }
}

void chunk_supply::order_ahead() {
  while (!open_readers_.empty() && orders_.size() < orders_ahead) {
    const rank_t reader = open_readers_[turn_++ % open_readers_.size()];
    orders_.push_back({reader, round_, rpc(reader, &chunk_supply::serve)});
  }
}

bool chunk_supply::next_of_others(supplied_text& out) {
  for (;;) {
    order_ahead();
    if (orders_.empty()) return false;
    order first = std::move(orders_.front());
    orders_.pop_front();
    const delivery taken = first.coming.get();
    if (!taken.text) {
      // A reader exhausted in an earlier round may have text again.
      if (first.round == round_) std::erase(open_readers_, first.reader);
      continue;
    }
    borrowed_ = taken.text;
    std::string_view text;
    if (const char* here = taken.text.local()) {
      text = {here, taken.bytes};
    } else {
      copied_.resize(taken.bytes);
      get(taken.text, std::span(copied_));
      text = copied_;
    }
    out = {.text = text, .origin = taken.origin};
    return true;
  }
}

void chunk_supply::give_back() {
  if (!borrowed_) return;
  if (borrowed_->rank() == rank()) {
    deallocate(*borrowed_);
  } else {
    rpc_ff(borrowed_->rank(), free_chunk, *borrowed_);
  }
  borrowed_.reset();
}

}  // namespace acre::genome
