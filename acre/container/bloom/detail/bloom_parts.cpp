#include <acre/container/bloom/detail/bloom_parts.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/remote_call.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <deque>
#include <limits>
#include <string>
#include <utility>

namespace acre::detail {
namespace {

/// What a member of the team asks for.
struct request {
  std::uint64_t items;
  double rate;
};

std::string text_of(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", number);
  return text.data();
}

/// All members see the same requests, and come to the same.
void check(const team& members, const std::vector<request>& asked) {
  const request& first = asked[0];
  for (rank_t member = 0; member < asked.size(); ++member) {
    const request& other = asked[member];
    // Not a number is not in the range either.
    if (!(other.rate >= least_bloom_rate && other.rate < 1)) {
      throw error("bloom_filter",
                  "a false-positive rate of " + text_of(other.rate) + " is asked for on rank " +
                      std::to_string(members.world_rank(member)),
                  "choose one from 1e-12 to below 1, such as 0.01");
    }
    if (other.items != first.items || other.rate != first.rate) {
      const auto tell = [&](rank_t which) {
        return std::to_string(asked[which].items) + " items at " + text_of(asked[which].rate) +
               " on rank " + std::to_string(members.world_rank(which));
      };
      throw error("bloom_filter", "the sizes differ: " + tell(0) + ", " + tell(member),
                  "all members of a team make a filter together, of one size");
    }
  }
}

/// Two items with the same hash are one to the filter: that is a part of the rate.
double rate_beyond_hashes(const request& asked) {
  const double same_hash = static_cast<double>(asked.items) / std::pow(2.0, 64);
  const double left = asked.rate - same_hash;
  if (left >= asked.rate / 2) return std::max(left, least_bloom_rate);
  throw error("bloom_filter",
              "no filter has a false-positive rate of " + text_of(asked.rate) + " for " +
                  std::to_string(asked.items) + " items: hashes have 64 bits",
              "choose a higher rate");
}

[[noreturn]] void throw_too_many(std::uint64_t items) {
  throw error("bloom_filter", std::to_string(items) + " items are more than memory holds");
}

// --- at the owner ---------------------------------------------------------------

// request: offset of the part, operation, phase entry, hash (of a single item)
// payload: the hashes of many items
// answer:  code (of a single item), a bit for each of many

/// What it costs is counted where it was asked for, as messages.
bool apply(const bloom_part& part, container_operation operation, std::uint64_t hash) noexcept {
  return operation == container_operation::insert ? part.insert(hash).is_new : part.find(hash);
}

bloom_part part_of_request(std::span<const fabric::word> words) {
  const bloom_part part(runtime::world.segment + words[0]);
  if constexpr (has_checks) {
    const auto operation = static_cast<container_operation>(words[1]);
    part.record().note(
        operation == container_operation::insert ? "bloom_filter::insert" : "bloom_filter::find",
        phase_entry(words[2]));
  }
  return part;
}

void serve_one(std::span<const fabric::word> words, std::span<const std::byte>,
               call_answer& answer) {
  const bloom_part part = part_of_request(words);
  answer.code = apply(part, static_cast<container_operation>(words[1]), words[3]) ? 1 : 0;
}

constexpr std::size_t ahead = 16;

void serve_many(std::span<const fabric::word> words, std::span<const std::byte> payload,
                call_answer& answer) {
  const bloom_part part = part_of_request(words);
  const auto operation = static_cast<container_operation>(words[1]);
  // A payload is aligned to 8.
  const std::span hashes(reinterpret_cast<const std::uint64_t*>(payload.data()),
                         payload.size() / sizeof(std::uint64_t));
  answer.bytes.assign(divide_up<std::size_t>(hashes.size(), 8), std::byte{0});
  for (std::size_t i = 0; i < std::min(ahead, hashes.size()); ++i) part.prefetch(hashes[i]);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + ahead < hashes.size()) part.prefetch(hashes[i + ahead]);
    if (apply(part, operation, hashes[i])) answer.bytes[i / 8] |= std::byte{1} << i % 8;
  }
}

// --- at the caller --------------------------------------------------------------

/// A batch on its way to one owner.
struct question : call_ticket {
  std::vector<std::size_t> places;  ///< of its items among all
  std::vector<std::byte> bits;
  std::string failure;
  bool failed = false;
  std::atomic<std::uint32_t>* under_way = nullptr;
};

void take_answer(call_ticket& ticket, const call_reply& reply) noexcept {
  auto& asked = static_cast<question&>(ticket);
  asked.failed = reply.failed;
  if (reply.failed) {
    asked.failure.assign(reinterpret_cast<const char*>(reply.bytes.data()), reply.bytes.size());
  } else {
    asked.bits.assign(reply.bytes.begin(), reply.bytes.end());
  }
  asked.under_way->fetch_sub(1, std::memory_order_release);
}

/// The batches of one call, to all owners on other nodes.
class questions {
 public:
  questions(const char* call, const std::source_location& where) noexcept
      : call_(call), where_(where) {}
  ~questions() {
    if (under_way_.load(std::memory_order_acquire) == 0) return;
    try {
      await();
    } catch (...) {
      // A peer is lost: the job ends, and says so itself.
    }
  }
  questions(const questions&) = delete;
  questions& operator=(const questions&) = delete;

  void ask(rank_t target, std::span<const fabric::word> words,
           std::span<const std::uint64_t> hashes, std::vector<std::size_t> places) {
    question& asked = all_.emplace_back();
    asked.complete = take_answer;
    asked.places = std::move(places);
    asked.under_way = &under_way_;
    under_way_.fetch_add(1, std::memory_order_relaxed);
    try {
      start_remote_call(target, run_by::anyone, token_of<&serve_many>(), words,
                        std::as_bytes(hashes), asked);
    } catch (...) {
      under_way_.fetch_sub(1, std::memory_order_relaxed);
      throw;
    }
  }

  void await() {
    runtime::wait_until([&] { return under_way_.load(std::memory_order_acquire) == 0; }, call_,
                        runtime::may_run::internal, where_);
  }

  /// Calls put(place, answer) for each item.
  template <class Put>
  void collect(Put&& put) {
    await();
    for (const question& asked : all_) {
      if (asked.failed) throw error(call_, "it failed on another rank: " + asked.failure);
      for (std::size_t i = 0; i < asked.places.size(); ++i) {
        put(asked.places[i], (asked.bits[i / 8] >> i % 8 & std::byte{1}) != std::byte{0});
      }
    }
  }

 private:
  const char* call_;
  std::source_location where_;
  std::deque<question> all_;
  std::atomic<std::uint32_t> under_way_{0};
};

}  // namespace

void throw_no_filter(const char* call) {
  throw error(call, "there is no filter: it was moved away, or never made",
              "make one with bloom_filter{team, items, rate}");
}

bloom_part::census bloom_part::count() const {
  census all;
  const unsigned bits = 64 * head_->words;
  // Of the bits that are not set, the lock is none.
  const unsigned reserved = head_->words == 1 ? 0 : 1;
  std::vector<double> rates(bits + 1);
  std::vector<double> items(bits + 1);
  for (unsigned set = 0; set <= bits; ++set) {
    const double fraction = static_cast<double>(set) / bits;
    rates[set] = std::pow(fraction, head_->draws);
    // A block that is full tells only that it took many.
    const double open = std::max(static_cast<double>(bits - set), 0.5) / (bits - reserved);
    items[set] = std::log(open) / std::log1p(-1.0 / bits) / head_->draws;
  }
  const auto all_words = words();
  for (std::size_t at = 0; at < all_words.size(); at += head_->words) {
    unsigned set = reserved;
    for (std::size_t each = at; each < at + head_->words; ++each) {
      set += static_cast<unsigned>(std::popcount(all_words[each]));
    }
    all.set += set - reserved;
    all.rate += rates[set];
    all.items += items[set];
  }
  all.blocks = static_cast<double>(head_->blocks);
  return all;
}

bloom_parts::bloom_parts(const team& members, std::uint64_t items, double rate)
    : members_(members), parts_(members.size()) {
  const runtime::failures_held until_all_is_done;
  const request asked{.items = items, .rate = rate};
  check(members, members.allgather(asked));
  shape_ = choose_bloom_shape(rate_beyond_hashes(asked));
  const double bits = std::max<double>(1, static_cast<double>(items)) * shape_.item_bits;
  const double part_blocks = std::ceil(bits / (64 * shape_.words) / static_cast<double>(parts_));
  constexpr double most_bytes = static_cast<double>(std::uint64_t{1} << offset_bits);
  if (part_blocks * shape_.words * 8 > most_bytes) throw_too_many(items);
  part_blocks_ = static_cast<std::uint64_t>(part_blocks);
  memory_ = team_memory(members_, bloom_part::bytes(shape_, part_blocks_), 64, "bloom_filter");
  bloom_part::make(memory_.mine(), shape_, part_blocks_);
  members_.barrier();
}

void bloom_parts::perform_locally(container_operation operation,
                                  std::span<const std::uint64_t> hashes,
                                  std::vector<bool>& answers) const {
  const bloom_part part = local_part();
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + ahead < hashes.size()) part.prefetch(locate(hashes[i + ahead]).hash);
    const std::uint64_t hash = locate(hashes[i]).hash;
    answers.push_back(operation == container_operation::insert ? part.insert_alone(hash)
                                                               : part.find(hash));
  }
}

void bloom_parts::perform_everywhere(container_operation operation,
                                     std::span<const std::uint64_t> hashes, std::uint64_t entry,
                                     std::vector<bool>& answers, const char* call,
                                     const std::source_location& where) const {
  struct elsewhere {
    location at;
    std::size_t place;
  };
  const std::size_t begin = answers.size();
  std::vector<elsewhere> far;
  const auto block_of = [&](const location& at) { return direct_block(at.owner); };
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + ahead < hashes.size()) {
      const location soon = locate(hashes[i + ahead]);
      if (std::byte* block = block_of(soon)) bloom_part(block).prefetch(soon.hash);
    }
    const location at = locate(hashes[i]);
    if (std::byte* block = block_of(at)) {
      const bloom_part part(block);
      if constexpr (has_checks) part.record().note(call, phase_entry(entry));
      answers.push_back(operation == container_operation::insert
                            ? perform_directly<container_operation::insert>(part, at.hash)
                            : perform_directly<container_operation::find>(part, at.hash));
    } else {
      far.push_back({at, begin + i});
      answers.push_back(false);
    }
  }
  if (far.empty()) return;

  // Of one owner all together, and in the order in which they came.
  std::ranges::sort(far, {},
                    [](const elsewhere& each) { return std::pair(each.at.owner, each.place); });
  const std::size_t most = runtime::max_payload() / sizeof(std::uint64_t);
  questions asked(call, where);
  std::vector<std::uint64_t> batch;
  for (auto first = far.begin(); first != far.end();) {
    const rank_t owner = first->at.owner;
    std::vector<std::size_t> places;
    batch.clear();
    for (; first != far.end() && first->at.owner == owner && batch.size() < most; ++first) {
      batch.push_back(first->at.hash);
      places.push_back(first->place);
    }
    const fabric::word words[] = {part_bits(owner) & offset_mask,
                                  static_cast<fabric::word>(operation), entry};
    asked.ask(members_.world_rank(owner), words, batch, std::move(places));
  }
  asked.collect([&](std::size_t place, bool answer) { answers[place] = answer; });
}

bool bloom_parts::perform_remotely(container_operation operation, const location& at,
                                   std::uint64_t entry, const char* call,
                                   const std::source_location& where) const {
  const fabric::word words[] = {part_bits(at.owner) & offset_mask,
                                static_cast<fabric::word>(operation), entry, at.hash};
  return run_remote_call(members_.world_rank(at.owner), run_by::anyone, token_of<&serve_one>(),
                         words, {}, {}, call, where) != 0;
}

void bloom_parts::clear() {
  const runtime::failures_held until_all_is_done;
  members_.barrier();
  local_part().clear();
  members_.barrier();
}

void bloom_parts::merge(const bloom_parts* other) {
  const runtime::failures_held until_all_is_done;
  members_.barrier();
  const bool fits = other != nullptr && other->part_blocks_ == part_blocks_ &&
                    other->shape_.words == shape_.words && other->shape_.draws == shape_.draws &&
                    other->parts_ == parts_ && other->members_.rank() == members_.rank();
  const bool all_fit = members_.allreduce(fits ? 1 : 0, op::min) != 0;
  if (other == nullptr || !all_fit) {
    throw error("bloom_filter::merge", "the filters differ in size, rate or team",
                "make both with the same team, items and rate");
  }
  local_part().merge(other->local_part());
  members_.barrier();
}

bloom_part::census bloom_parts::count() const {
  const runtime::failures_held until_all_is_done;
  members_.barrier();
  const bloom_part::census mine = local_part().count();
  std::array sums{mine.set, mine.rate, mine.items, mine.blocks};
  members_.allreduce(std::span<double>(sums), op::sum);
  return {.set = sums[0], .rate = sums[1], .items = sums[2], .blocks = sums[3]};
}

}  // namespace acre::detail
