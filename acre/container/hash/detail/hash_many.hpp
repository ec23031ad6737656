// SPDX-License-Identifier: BSD-3-Clause
// Runs one operation on many keys: prefetches their buckets, and sends keys of other nodes together
// (global/owner/many_at_owners.hpp).
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/hash/detail/hash_parts.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

namespace acre::container {

struct located_key {
  std::byte* memory;
  global::owned_hash at;
};

template <class K, class V, class Hash, class Equal>
template <class Operation, class Guarantee, class Operands, class Take>
void hash_parts<K, V, Hash, Equal>::perform_many(Guarantee guarantee, std::span<const K> keys,
                                                 Operands&& operands, Take&& take, const char* call,
                                                 const site& where) const {
  constexpr std::size_t chunk = 128;
  constexpr std::size_t ahead = 16;
  constexpr std::size_t keys_at_once = 64 * chunk;
  const auto words_of = [&](rank_t member) {
    return request_words({.owner = member, .fraction = 0}, Operation::kind, guarantee);
  };
  at_owner::many<keys_service<Operation, part>, decltype(words_of)> elsewhere(members(), words_of,
                                                                              call, where);
  const auto take_answer = [&](const at_owner::answered_item& answer) {
    take(answer.number, met_of_item<result_of<Operation, V>>(answer.code, answer.value));
  };

  std::array<located_key, chunk> targets;
  for (std::size_t start = 0; start < keys.size(); start += chunk) {
    const std::size_t count = smaller(chunk, keys.size() - start);
    const auto prefetch = [&](std::size_t i) {
      const auto& [memory, at] = targets[i];
      if (memory != nullptr) prefetch_home<Operation>(part_in(memory).view(), at.fraction);
    };
    for (std::size_t i = 0; i < count; ++i) {
      const global::owned_hash at = locate(keys[start + i]);
      targets[i] = {reach<Guarantee>(at, call), at};
      if (i < ahead) prefetch(i);
    }
    runtime::direct_costs spent;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + ahead < count) prefetch(i + ahead);
      const auto& [memory, at] = targets[i];
      const K& key = keys[start + i];
      if (memory == nullptr) {
        std::apply([&](const auto&... each) { elsewhere.add(at.owner, start + i, key, each...); },
                   operands(start + i));
        continue;
      }
      const part there = part_in(memory);
      note(there, Operation::kind, call, guarantee);
      auto view = there.template view<company_of<Guarantee>>();
      met<result_of<Operation, V>> result{outcome::absent};
      result.what = std::apply(
          [&](const auto&... each) {
            return there.template run<Operation>(view, key, at.fraction, result.value, each...);
          },
          operands(start + i));
      spent += view.costs();
      take(start + i, std::move(result));
    }
    if constexpr (!is_local<Guarantee>) runtime::count(spent);
    if ((start + chunk) % keys_at_once == 0 || start + chunk >= keys.size()) {
      elsewhere.finish(take_answer);
    }
  }
}

}  // namespace acre::container
