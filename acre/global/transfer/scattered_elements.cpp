// SPDX-License-Identifier: BSD-3-Clause
#include <acre/global/transfer/scattered_elements.hpp>

#include <acre/base/constant_size.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/posted_request.hpp>
#include <acre/global/owner/requests_under_way.hpp>
#include <acre/global/transfer/index_list.hpp>
#include <acre/runtime/memory.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace acre::global {
namespace {

using at_owner::answer;
using at_owner::answered;
using at_owner::asked;
using fabric::word;

// Request words: element size, count. Payload: offsets, then values of a put. Answer to a get:
// values.

template <class Copy>
void with_size(std::size_t bytes, Copy&& copy) {
  with_constant_size<1, 2, 4, 8>(bytes, copy);
}

/// Aligned words are accessed whole: others access them concurrently.
template <class Size>
void load_element(std::byte* to, const std::byte* from, Size bytes) noexcept {
  if constexpr (!std::same_as<Size, std::size_t>) {
    using value = typename word_of_size<Size::value>::type;
    if (reinterpret_cast<std::uintptr_t>(from) % sizeof(value) == 0) {
      const value loaded = load_direct<value>(from);
      std::memcpy(to, &loaded, sizeof(value));
      return;
    }
  }
  std::memcpy(to, from, bytes);
}
template <class Size>
void store_element(std::byte* to, const std::byte* from, Size bytes) noexcept {
  if constexpr (!std::same_as<Size, std::size_t>) {
    using value = typename word_of_size<Size::value>::type;
    if (reinterpret_cast<std::uintptr_t>(to) % sizeof(value) == 0) {
      store_direct(to, load_bytes<value>(from));
      return;
    }
  }
  std::memcpy(to, from, bytes);
}

[[nodiscard]] std::byte* element_at(const asked& request, std::size_t i, std::size_t bytes) {
  std::uint64_t offset;
  std::memcpy(&offset, request.payload.data() + i * sizeof(offset), sizeof(offset));
  return at_owner::place_here(offset, bytes);
}

[[nodiscard]] std::size_t elements_of(const asked& request, std::size_t bytes_of_each) {
  const word count = request.words[1];
  if (request.words[0] > runtime::world.segment_bytes ||
      count > request.payload.size() / bytes_of_each) {
    at_owner::throw_not_here();
  }
  return count;
}

struct reading {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const asked& request, answer& reply) {
    const word bytes = request.words[0];
    const std::size_t count = elements_of(request, sizeof(std::uint64_t));
    std::byte* to = reply.room(count * bytes).data();
    with_size(bytes, [&](auto size) {
      for (std::size_t i = 0; i < count; ++i) {
        load_element(to + i * size, element_at(request, i, size), size);
      }
    });
  }
};

struct writing {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static void serve(const asked& request, answer&) {
    const word bytes = request.words[0];
    const std::size_t count = elements_of(request, sizeof(std::uint64_t) + bytes);
    const std::byte* from = request.payload.data() + count * sizeof(std::uint64_t);
    with_size(bytes, [&](auto size) {
      for (std::size_t i = 0; i < count; ++i) {
        store_element(element_at(request, i, size), from + i * size, size);
      }
    });
  }
};

void place_values(const std::vector<std::byte*>& places, std::span<const std::byte> values,
                  std::size_t element_bytes) {
  assert(values.size() == places.size() * element_bytes);
  with_size(element_bytes, [&](auto size) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::memcpy(places[i], values.data() + i * size, size);
    }
  });
}

constexpr std::size_t worth_a_message = 16;

}  // namespace

void throw_unequal_lists(const char* call, std::size_t indices, std::size_t values,
                         const site& where) {
  throw error(call,
              "there are " + std::to_string(indices) + " indices, but " + std::to_string(values) +
                  " values" + describe_place(where),
              "pass one value, or space for one value, per index");
}

bool scattered_elements::is_for(std::size_t element_bytes) {
  return (sizeof(std::uint64_t) + element_bytes) * worth_a_message <= runtime::max_payload();
}

scattered_elements::scattered_elements(direction way, std::size_t element_bytes)
    : way_(way),
      element_bytes_(element_bytes),
      most_elements_(runtime::max_payload() /
                     (way == direction::put ? sizeof(std::uint64_t) + element_bytes
                                            : std::max(sizeof(std::uint64_t), element_bytes))) {
  assert(is_for(element_bytes));
}

scattered_elements::batch& scattered_elements::batch_of(rank_t owner) {
  if (last_ >= open_.size() || open_[last_].owner != owner) {
    const auto found = std::ranges::lower_bound(open_, owner, {}, &batch::owner);
    last_ = static_cast<std::size_t>(found - open_.begin());
    if (found == open_.end() || found->owner != owner)
      open_.insert(found, batch{owner, {}, {}, {}});
  }
  batch& into = open_[last_];
  if (into.offsets.size() == most_elements_)
    full_.push_back(std::exchange(into, {owner, {}, {}, {}}));
  return into;
}

void scattered_elements::add(std::uint64_t pointer_bits, std::byte* here) {
  batch& into = batch_of(static_cast<rank_t>(pointer_bits >> offset_bits));
  into.offsets.push_back(pointer_bits & offset_mask);
  if (way_ == direction::get) {
    into.places.push_back(here);
  } else {
    into.values.insert(into.values.end(), here, here + element_bytes_);
  }
}

std::vector<scattered_elements::batch> scattered_elements::take_all() {
  std::vector<batch> all = std::move(full_);
  std::ranges::move(open_, std::back_inserter(all));
  open_.clear();
  return all;
}

namespace {

template <class Ask>
void with_request(const std::vector<std::uint64_t>& offsets, const std::vector<std::byte>& values,
                  std::size_t element_bytes, Ask&& ask) {
  const std::array<word, 2> words{element_bytes, offsets.size()};
  const auto first = std::as_bytes(std::span(offsets));
  if (values.empty()) return ask(words, first);
  std::vector<std::byte> payload(first.begin(), first.end());
  payload.insert(payload.end(), values.begin(), values.end());
  ask(words, payload);
}

}  // namespace

void scattered_elements::finish(const char* call, const site& where) {
  using places = std::vector<std::byte*>;
  at_owner::requests_under_way<places> under_way;
  for (batch& each : take_all()) {
    with_request(each.offsets, each.values, element_bytes_, [&](auto& words, auto payload) {
      const auto what = way_ == direction::get
                            ? at_owner::request_for<reading>(each.owner, words, payload, call)
                            : at_owner::request_for<writing>(each.owner, words, payload, call);
      under_way.add(what, std::move(each.places));
    });
  }
  under_way.await(
      0, runtime::may_run::internal,
      [&](const places& targets, at_owner::request_record& record, rank_t owner) {
        const answered got = at_owner::take_answer(record, owner, call);
        place_values(targets, got.bytes, element_bytes_);
      },
      call, where);
}

void scattered_elements::finish_nbi(const char* call) {
  for (batch& each : take_all()) {
    with_request(each.offsets, each.values, element_bytes_, [&](auto& words, auto payload) {
      const auto what = way_ == direction::get
                            ? at_owner::request_for<reading>(each.owner, words, payload, call)
                            : at_owner::request_for<writing>(each.owner, words, payload, call);
      at_owner::post(what, [places = std::move(each.places),
                            bytes = element_bytes_](const at_owner::request_record& done) {
        place_values(places, done.bytes, bytes);
      });
    });
  }
}

future<> scattered_elements::finish_async(const char* call) {
  std::vector<future<>> parts;
  for (batch& each : take_all()) {
    with_request(each.offsets, each.values, element_bytes_, [&](auto& words, auto payload) {
      const auto place = [targets = std::move(each.places), bytes = element_bytes_](
                             const answered& got) { place_values(targets, got.bytes, bytes); };
      parts.push_back(way_ == direction::get
                          ? at_owner::ask_async<reading>(each.owner, words, payload, call, place)
                          : at_owner::ask_async<writing>(each.owner, words, payload, call, place));
    });
  }
  return parts.size() == 1 ? std::move(parts.front()) : when_all(std::move(parts));
}

}  // namespace acre::global
