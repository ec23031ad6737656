// SPDX-License-Identifier: BSD-3-Clause
// Services that run hash operations for other nodes (global/owner/at_owner.hpp).
#pragma once

#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/mapped_part.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/owner/many_at_owners.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre::container {

inline constexpr const char* request_of_a_node = "a request of another node";

template <class Operation, class Part>
auto run_item(const Part& part, typename Part::view_type& view, const typename Part::key_type& key,
              std::uint64_t hash, reader& item) {
  const auto operands =
      at_owner::read_all(item, std::type_identity<typename Operation::operands>{});
  met<result_of<Operation, typename Part::mapped_type>> result{outcome::absent};
  result.what = std::apply(
      [&](const auto&... each) {
        return part.template run<Operation>(view, key, hash, result.value, each...);
      },
      operands);
  return result;
}

template <class Operation, class Part>
struct key_service {
  static constexpr at_owner::run_by runner = Operation::runner;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const auto part = Part::requested(request.words, request_of_a_node);
    auto view = part.view();
    reader from(request.payload);
    const auto key = from.read<typename Part::key_type>();
    const auto result = run_item<Operation>(part, view, key, request.words[1], from);
    reply.code = code_of(result);
    if (result.value) reply.write(*result.value);
  }
};

template <class Part, class R, class F, class... Operands>
struct apply_service {
  static constexpr at_owner::run_by runner = at_owner::run_by::owner;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const auto part = Part::requested(request.words, request_of_a_node);
    auto view = part.view();
    reader from(request.payload);
    const auto key = from.read<typename Part::key_type>();
    F f = from.read<carried_function<F>>().unpack();
    std::tuple<global::roomy<received_t<Operands>>...> operands{global::roomy<received_t<Operands>>(
        std::in_place, [&] { return from.read<received_t<Operands>>(); })...};
    std::span<std::byte> room;
    if constexpr (!std::is_void_v<R>) room = reply.room(fixed_serialized_size<R>);
    result_of_application<R> result{};
    const outcome what = std::apply(
        [&](auto&... each) {
          return apply_to<R, typename Part::mapped_type>(view, key, request.words[1], f, result,
                                                         std::as_const(*each)...);
        },
        operands);
    part.count(what);
    reply.code = static_cast<fabric::word>(what);
    if constexpr (!std::is_void_v<R>) {
      if (result) {
        write_to(room, *result);
      } else {
        reply.keep_first(0);
      }
    }
  }
};

template <class Operation, class Part>
class keys_service {
  using K = typename Part::key_type;

 public:
  static constexpr at_owner::run_by runner = Operation::runner;
  static constexpr std::size_t answer_bytes =
      Operation::brings_value
          ? fixed_serialized_size<result_of<Operation, typename Part::mapped_type>>
          : 0;

  explicit keys_service(std::span<const fabric::word> words)
      : part_(Part::requested(words, request_of_a_node)), view_(part_.view()) {}
  void prefetch(reader item) const
    requires(fixed_serialized_size<K> != variable_size)
  {
    prefetch_home<Operation>(view_, view_.hash_of(item.read<K>()));
  }
  std::uint8_t serve(reader item, at_owner::item_answer& reply) {
    const K key = item.read<K>();
    const auto result = run_item<Operation>(part_, view_, key, view_.hash_of(key), item);
    if (result.value) reply.write(*result.value);
    return static_cast<std::uint8_t>(result.what);
  }

 private:
  Part part_;
  typename Part::view_type view_;
};

}  // namespace acre::container
