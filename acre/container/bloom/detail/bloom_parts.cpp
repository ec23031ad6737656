// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/bloom/detail/bloom_parts.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/container/read_way.hpp>
#include <acre/global/owner/many_at_owners.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/remote.hpp>
#include <acre/runtime/running_code.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace acre::container {
namespace {

struct wanted_filter {
  std::uint64_t items;
  double rate;
};

std::string text_of(double number) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", number);
  return text.data();
}

void check(const team& members, const std::vector<wanted_filter>& asked) {
  const wanted_filter& first = asked[0];
  for (rank_t member = 0; member < asked.size(); ++member) {
    const wanted_filter& other = asked[member];
    if (!(other.rate >= least_bloom_rate && other.rate < 1)) {
      throw error("bloom_filter",
                  "false-positive rate " + text_of(other.rate) + " is invalid on rank " +
                      std::to_string(members.world_rank(member)),
                  "rates must be from 1e-12 to below 1, for example 0.01");
    }
    if (other.items != first.items || other.rate != first.rate) {
      const auto tell = [&](rank_t which) {
        return std::to_string(asked[which].items) + " items at " + text_of(asked[which].rate) +
               " on rank " + std::to_string(members.world_rank(which));
      };
      throw error("bloom_filter", "the sizes differ: " + tell(0) + ", " + tell(member),
                  "pass the same items and rate on all members");
    }
  }
}

/// Equal hashes are false positives too.
double rate_beyond_hashes(const wanted_filter& asked) {
  const double same_hash = static_cast<double>(asked.items) / std::pow(2.0, 64);
  const double left = asked.rate - same_hash;
  if (left >= asked.rate / 2) return std::max(left, least_bloom_rate);
  throw error("bloom_filter",
              "a false-positive rate of " + text_of(asked.rate) + " is unattainable for " +
                  std::to_string(asked.items) + " items with hashes of 64 bits",
              "use a higher rate");
}

[[noreturn]] void throw_too_many(std::uint64_t items) {
  throw error("bloom_filter", std::to_string(items) + " items exceed the memory",
              "use fewer items, or a higher rate");
}

// Request: part offset, operation, phase entry; and a single item's hash

class asked_part {
 public:
  explicit asked_part(std::span<const fabric::word> words)
      : part_(at_owner::block_here(words[0], sizeof(bloom_part::head))),
        operation_(static_cast<container_operation>(words[1])) {
    const std::size_t bytes = part_.words().size_bytes();
    if (bytes == 0 || bytes > runtime::world.segment_bytes) at_owner::throw_not_here();
    static_cast<void>(at_owner::block_here(words[0], sizeof(bloom_part::head) + bytes));
    note_if_checked(
        part_.record(),
        operation_ == container_operation::insert ? "bloom_filter::insert" : "bloom_filter::find",
        phase_entry(words[2]));
  }
  [[nodiscard]] bool apply(std::uint64_t hash) const noexcept {
    return operation_ == container_operation::insert ? part_.insert(hash).is_new : part_.find(hash);
  }
  void prefetch(std::uint64_t hash) const noexcept { part_.prefetch(hash); }

 private:
  bloom_part part_;
  container_operation operation_;
};

struct one_hash {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    reply.code = asked_part(request.words).apply(request.words[3]) ? 1 : 0;
  }
};

struct many_hashes {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static constexpr std::size_t answer_bytes = 0;

  explicit many_hashes(std::span<const fabric::word> words) : part(words) {}
  std::uint8_t serve(reader hash, at_owner::item_answer&) {
    return part.apply(hash.read<std::uint64_t>()) ? 1 : 0;
  }
  void prefetch(reader hash) const { part.prefetch(hash.read<std::uint64_t>()); }

  asked_part part;
};

constexpr std::size_t ahead = 16;

}  // namespace

bloom_part::census bloom_part::count() const {
  census all;
  const unsigned bits = 64 * head_->words;
  // Excludes the lock bit.
  const unsigned reserved = head_->words == 1 ? 0 : 1;
  std::vector<double> rates(bits + 1);
  std::vector<double> items(bits + 1);
  for (unsigned set = 0; set <= bits; ++set) {
    const double fraction = static_cast<double>(set) / bits;
    rates[set] = std::pow(fraction, head_->draws);
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

bloom_parts::extent bloom_parts::extent_for(const team& members, std::uint64_t items, double rate,
                                            const site& where) {
  const runtime::failures_held until_all_is_done;
  const wanted_filter asked{.items = items, .rate = rate};
  runtime::require_no_served_call("bloom_filter");
  check(members, members.allgather(asked, where));
  const bloom_shape shape = choose_bloom_shape(rate_beyond_hashes(asked));
  const double bits = std::max<double>(1, static_cast<double>(items)) * shape.item_bits;
  const double blocks = std::ceil(bits / (64 * shape.words) / static_cast<double>(members.size()));
  constexpr double most_bytes = static_cast<double>(std::uint64_t{1} << offset_bits);
  if (blocks * shape.words * 8 > most_bytes) throw_too_many(items);
  return {.shape = shape, .blocks = static_cast<std::uint64_t>(blocks)};
}

bloom_parts::bloom_parts(const team& members, std::uint64_t items, double rate,
                         const std::type_info& filter, const site& where)
    : bloom_parts(members, extent_for(members, items, rate, where), filter, where) {}

bloom_parts::bloom_parts(const team& members, const extent& part, const std::type_info& filter,
                         const site& where)
    : team_object(members,
                  team_memory(members, part.bytes(), 64, "bloom_filter",
                              {.number = part.bytes(), .unit = "bytes", .type = &filter}, where),
                  "the destructor of the bloom_filter made", where),
      parts_(members.size()),
      shape_(part.shape),
      part_blocks_(part.blocks),
      noted_(members.size()) {
  const runtime::failures_held until_all_is_done;
  runtime::use_huge_pages(memory().mine(), part.bytes());
  bloom_part::make(memory().mine(), shape_, part_blocks_);
  members.barrier(where);
}

void bloom_parts::perform_locally(container_operation operation,
                                  std::span<const std::uint64_t> hashes,
                                  std::vector<bool>& answers) const {
  const bloom_part part = local_part();
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + ahead < hashes.size())
      part.prefetch(global::locate(hashes[i + ahead], parts_).fraction);
    const std::uint64_t hash = global::locate(hashes[i], parts_).fraction;
    answers.push_back(operation == container_operation::insert ? part.insert_alone(hash)
                                                               : part.find(hash));
  }
}

void bloom_parts::perform_everywhere(container_operation operation,
                                     std::span<const std::uint64_t> hashes, phase_entry entry,
                                     std::vector<bool>& answers, const char* call,
                                     const site& where) const {
  const auto words_of = [&](rank_t member) {
    return std::array<fabric::word, 3>{part_bits(member) & offset_mask,
                                       static_cast<fabric::word>(operation), entry.bits()};
  };
  at_owner::many<many_hashes, decltype(words_of)> elsewhere(members(), words_of, call, where);
  const std::size_t begin = answers.size();
  const auto block_of = [&](const global::owned_hash& at) { return direct_block(at.owner); };
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + ahead < hashes.size()) {
      const global::owned_hash soon = global::locate(hashes[i + ahead], parts_);
      if (std::byte* block = block_of(soon)) bloom_part(block).prefetch(soon.fraction);
    }
    const global::owned_hash at = global::locate(hashes[i], parts_);
    if (std::byte* block = block_of(at)) {
      const bloom_part part(block);
      note_if_checked(part.record(), call, entry);
      answers.push_back(perform_directly(operation, part, at.fraction));
    } else {
      elsewhere.add(at.owner, begin + i, at.fraction);
      answers.push_back(false);
    }
  }
  elsewhere.finish(
      [&](const at_owner::answered_item& answer) { answers[answer.number] = answer.code != 0; });
}

bool bloom_parts::perform_remotely(container_operation operation, const global::owned_hash& at,
                                   phase_entry entry, const char* call, const site& where) const {
  if (operation == container_operation::find && noted_.has(at.owner, entry) &&
      reads_by_get(shape_.words * sizeof(std::uint64_t))) {
    return find_in_copy(at);
  }
  const fabric::word words[] = {part_bits(at.owner) & offset_mask,
                                static_cast<fabric::word>(operation), entry.bits(), at.fraction};
  const bool answer =
      at_owner::ask<one_hash>(members().world_rank(at.owner), words, {}, call, where).code != 0;
  noted_.add(at.owner, entry);
  return answer;
}

bool bloom_parts::find_in_copy(const global::owned_hash& at) const {
  std::array<std::uint64_t, 8> block;
  runtime::get_remote_value(
      part_bits(at.owner) + bloom_part::block_offset(shape_, part_blocks_, at.fraction),
      block.data(), shape_.words * sizeof(std::uint64_t));
  return bloom_part::find_in_copy(shape_, block.data(), at.fraction);
}

void bloom_parts::clear(const site& where) {
  const runtime::failures_held until_all_is_done;
  global::require_same_object(members(), "bloom_filter::clear", memory().identity(), where);
  members().barrier(where);
  local_part().clear();
  members().barrier(where);
}

void bloom_parts::merge(const bloom_parts* other, const site& where) {
  const runtime::failures_held until_all_is_done;
  const std::uint64_t of_other = other == nullptr ? 0 : other->memory().identity();
  global::require_same_object(members(), "bloom_filter::merge",
                              mix_bits(memory().identity() + of_other), where);
  members().barrier(where);
  const bool fits = other != nullptr && other->part_blocks_ == part_blocks_ &&
                    other->shape_.words == shape_.words && other->shape_.draws == shape_.draws &&
                    other->parts_ == parts_ && other->members().rank() == members().rank();
  const bool all_fit = members().allreduce(fits ? 1 : 0, op::min, where) != 0;
  if (other == nullptr || !all_fit) {
    throw error("bloom_filter::merge", "the filters differ in size, rate or team",
                "construct both with the same team, items and rate");
  }
  local_part().merge(other->local_part());
  members().barrier(where);
}

bloom_part::census bloom_parts::count(const site& where) const {
  const runtime::failures_held until_all_is_done;
  global::require_same_object(members(), "bloom_filter::count", memory().identity(), where);
  members().barrier(where);
  const bloom_part::census mine = local_part().count();
  std::array sums{mine.set, mine.rate, mine.items, mine.blocks};
  members().allreduce(std::span<double>(sums), op::sum, where);
  return {.set = sums[0], .rate = sums[1], .items = sums[2], .blocks = sums[3]};
}

}  // namespace acre::container
