// SPDX-License-Identifier: BSD-3-Clause
// Operations on a key, run where its part is mapped; operands can be sent, results are written in
// place.
#pragma once

#include <acre/container/guarantee.hpp>
#include <acre/container/hash/detail/hash_part.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/wire/captured_address.hpp>
#include <acre/runtime/running_code.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre {

/// f(value) changes the value or returns the new one.
template <class F, class V>
concept update_of =
    std::is_trivially_copyable_v<F> && (std::same_as<std::invoke_result_t<F&, V&>, void> ||
                                        std::convertible_to<std::invoke_result_t<F&, V&>, V>);

/// f(value, operands...) returns void or a fixed serialised size, so that the reply fits.
template <class F, class V, class... Operands>
concept application_to =
    std::is_trivially_copyable_v<F> && (serializable<Operands> && ...) &&
    std::invocable<F&, V&, const received_t<Operands>&...> &&
    std::invocable<F&, V&, const Operands&...> &&
    (std::same_as<std::invoke_result_t<F&, V&, const Operands&...>, void> ||
     fixed_serialized_size<std::invoke_result_t<F&, V&, const Operands&...>> != variable_size);

namespace container {

template <class V, class... Operands>
struct a_function_of_the_value {
  template <class F>
    requires(!application_to<F, V, Operands...> &&
             !guarantee_allowing<F, container_operation::update>)
  a_function_of_the_value(const F&) = delete;  // [](V& value, const Operand& x) { ... }
};

/// Outcome of an operation, and its result of type R, if any.
template <class R>
struct met {
  outcome what;
  std::optional<R> value = std::nullopt;
};

template <class Operation, class V>
struct result_type_of {
  using type = V;
};
template <class Operation, class V>
  requires requires { typename Operation::result_type; }
struct result_type_of<Operation, V> {
  using type = typename Operation::result_type;
};
/// Result of an operation on values V: Operation::result_type, by default V.
template <class Operation, class V>
using result_of = typename result_type_of<Operation, V>::type;

inline constexpr fabric::word with_value = 0x100;

template <class R>
[[nodiscard]] fabric::word code_of(const met<R>& result) noexcept {
  return static_cast<fabric::word>(result.what) | (result.value ? with_value : 0);
}

template <class R>
[[nodiscard]] met<R> met_of(const at_owner::answered& answer) {
  met<R> result{outcome(answer.code & 0xff)};
  if ((answer.code & with_value) != 0) result.value.emplace(deserialize<R>(answer.bytes));
  return result;
}

template <class R>
[[nodiscard]] met<R> met_of_item(std::uint8_t code, reader* value) {
  met<R> result{outcome(code)};
  if (value != nullptr) result.value.emplace(value->template read<R>());
  return result;
}

/// Any thread of the owner may run these.
template <container_operation Kind, class... Operands>
struct at_once {
  using operands = std::tuple<Operands...>;
  static constexpr container_operation kind = Kind;
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;
  static constexpr bool brings_value = false;
};

template <class V>
struct find_operation : at_once<container_operation::find> {
  static constexpr bool brings_value = true;

  template <class Part, class Key>
  static outcome run(Part& part, const Key& key, std::uint64_t hash, std::optional<V>& value) {
    return part.find_into(value, key, hash);
  }
};

template <class V>
struct contains_operation : at_once<container_operation::find> {
  template <class Part, class Key>
  static outcome run(Part& part, const Key& key, std::uint64_t hash, std::optional<V>&) {
    return part.contains(key, hash) ? outcome::found : outcome::absent;
  }
};

template <class V>
struct erase_operation : at_once<container_operation::erase> {
  template <class Part, class Key>
  static outcome run(Part& part, const Key& key, std::uint64_t hash, std::optional<V>&) {
    return part.erase(key, hash) ? outcome::erased : outcome::absent;
  }
};

template <class V>
struct insert_operation : at_once<container_operation::insert, V> {
  template <class Part, class K>
  static outcome run(Part& part, const K& key, std::uint64_t hash, std::optional<V>&,
                     const V& value) {
    return part.insert(key, hash, value);
  }
};

template <class V>
struct assign_operation : at_once<container_operation::update, V> {
  template <class Part, class K>
  static outcome run(Part& part, const K& key, std::uint64_t hash, std::optional<V>&,
                     const V& value) {
    return part.upsert(key, hash, replaced_by<V>{value}, [&]() -> const V& { return value; });
  }
};

template <class V>
struct add_operation : at_once<container_operation::update, V> {
  static constexpr bool brings_value = true;

  template <class Part, class K>
  static outcome run(Part& part, const K& key, std::uint64_t hash, std::optional<V>& value_before,
                     const V& amount) {
    V before{};
    const outcome what = part.upsert(
        key, hash,
        [&](V& value) noexcept {
          before = value;
          value = static_cast<V>(value + amount);
        },
        [&] { return amount; });
    value_before = before;
    return what;
  }
};

template <class V>
struct count_operation : at_once<container_operation::update> {
  template <class Part, class K>
  static outcome run(Part& part, const K& key, std::uint64_t hash, std::optional<V>&) {
    return part.upsert(key, hash, [](V& value) noexcept { ++value; }, [] { return V{1}; });
  }
};

inline void prefetch_for_change(const void* address) noexcept {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

template <class Operation, class View>
void prefetch_home(const View& of, std::uint64_t hash) noexcept {
  if constexpr (Operation::kind == container_operation::find) {
    __builtin_prefetch(of.home(hash));
  } else {
    prefetch_for_change(of.home(hash));
  }
}

template <class F>
class carried_function {
  static_assert(!global::captures_address<F>(),
                "this function captures a reference or a pointer, [&] or [this], which is invalid "
                "on another rank: pass operands, and return a result");

 public:
  explicit carried_function(const F& function) noexcept {
    std::memcpy(bytes_, &function, sizeof(F));
  }
  [[nodiscard]] F unpack() const noexcept { return global::load_bytes<F>(bytes_); }

 private:
  std::byte bytes_[sizeof(F)];
};

/// For other nodes, runs in the owner's own calls.
template <class V, class F>
struct update_operation {
  using operands = std::tuple<carried_function<F>, V>;
  static constexpr container_operation kind = container_operation::update;
  static constexpr at_owner::run_by runner = at_owner::run_by::owner;
  static constexpr bool brings_value = false;

  template <class Part, class K>
  static outcome run(Part& part, const K& key, std::uint64_t hash, std::optional<V>&,
                     const carried_function<F>& given, const V& initial) {
    F function = given.unpack();
    const auto change = [&](V& value) noexcept(noexcept(function(value))) {
      const runtime::under_container_lock held;
      if constexpr (std::is_void_v<std::invoke_result_t<F&, V&>>) {
        function(value);
      } else {
        value = function(value);
      }
    };
    return part.upsert(key, hash, change, [&]() -> const V& { return initial; });
  }
};

template <class R>
using result_of_application = std::conditional_t<std::is_void_v<R>, char, std::optional<R>>;

template <class R>
struct application {
  outcome what;
  result_of_application<R> result{};
};

template <class R, class V, class Part, class K, class F, class... Operands>
outcome apply_to(Part& part, const K& key, std::uint64_t hash, F& f,
                 [[maybe_unused]] result_of_application<R>& result, const Operands&... operands) {
  const auto change = [&](V& value) noexcept(noexcept(f(value, operands...))) {
    const runtime::under_container_lock held;
    if constexpr (std::is_void_v<R>) {
      f(value, operands...);
    } else {
      result.emplace(f(value, operands...));
    }
  };
  std::optional<V> fresh;
  return part.upsert(key, hash, change, [&]() -> const V& {
    if (!fresh) {
      fresh.emplace();
      change(*fresh);
    }
    return *fresh;
  });
}

}  // namespace container
}  // namespace acre
