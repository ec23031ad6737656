// SPDX-License-Identifier: BSD-3-Clause
// Requests of other nodes, served by any thread of the host. Words: part, end, number of values.
// Values of varying size are sent as records, others as their stored forms.
#pragma once

#include <acre/container/deque/detail/deque_part.hpp>
#include <acre/container/queue/detail/queue_records.hpp>
#include <acre/container/queue/detail/stored_values.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/team/stored.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace acre::container {

using deque_words = std::array<fabric::word, 3>;

[[nodiscard]] inline deque_end end_of(const at_owner::asked& request) noexcept {
  return static_cast<deque_end>(request.words[1] & 1);
}

template <class T>
struct deque_push_service {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  static void serve(const at_owner::asked& request, at_owner::answer&) {
    const auto part = deque_part<T>::requested(request.words);
    const std::uint64_t count = request.words[2];
    if constexpr (is_separate<T>) {
      stored_blocks<T> forms;
      for_each_record(request.payload, count,
                      [&](std::span<const std::byte> bytes) { forms.add(bytes); });
      part.push(end_of(request), forms.bytes(), count);
      forms.give_away(count);
    } else {
      if (request.payload.size() / sizeof(stored_t<T>) < count) at_owner::throw_not_here();
      part.push(end_of(request), request.payload.data(), count);
    }
  }
};

/// Code: number of values.
template <class T>
struct deque_pop_service {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const auto part = deque_part<T>::requested(request.words);
    if constexpr (is_separate<T>) {
      std::vector<stored_t<T>> forms;
      std::byte* to = nullptr;
      reply.code = part.pop(end_of(request), request.words[2],
                            [&](std::uint64_t count, std::uint64_t bytes) {
                              forms.resize(count);
                              to = reply.room(bytes).data();
                              return reinterpret_cast<std::byte*>(forms.data());
                            });
      for (const stored_t<T>& each : forms) {
        to = write_record(to, {runtime::direct_address(each.where), each.bytes});
        stored_form<T>::release(each);
      }
    } else {
      reply.code =
          part.pop(end_of(request), request.words[2],
                   [&](std::uint64_t, std::uint64_t bytes) { return reply.room(bytes).data(); });
    }
  }
};

/// Code: 1, or 0 if empty. Answer: the form, or the bytes of a separate value.
template <class T>
struct deque_peek_service {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const auto part = deque_part<T>::requested(request.words);
    const bool found = part.peek(end_of(request), [&](const stored_t<T>& form) {
      std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(&form), sizeof(form));
      if constexpr (is_separate<T>) bytes = {runtime::direct_address(form.where), form.bytes};
      const std::span<std::byte> room = reply.room(bytes.size());
      if (!bytes.empty()) std::memcpy(room.data(), bytes.data(), bytes.size());
    });
    reply.code = found ? 1 : 0;
  }
};

/// Code: number of values.
template <class T>
struct deque_size_service {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    reply.code = deque_part<T>::requested(request.words).size();
  }
};

}  // namespace acre::container
