// SPDX-License-Identifier: BSD-3-Clause
// Function tokens, equal on all ranks: hash of the module's build-id, and the function's offset. A
// rank with another build throws.
//
// A received token resolves only to
// - functions named at compile time, registered with their signature before main() or when their
// library is loaded;
// - for function pointers, the first byte of a function in a module that has named some.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

namespace acre {

/// Module hash in the upper half, offset from the module's first byte in the lower.
enum class callable_token : std::uint64_t { none = 0 };

namespace global {

using any_function = void (*)();

/// A function that resolve() may return. Must have static storage duration.
class named_function {
 public:
  template <class Result, class... Arguments>
  explicit named_function(Result (*named)(Arguments...)) noexcept
      : function_(reinterpret_cast<any_function>(named)),
        signature_(&typeid(Result(Arguments...))) {
    enter();
  }
  named_function(const named_function&) = delete;
  named_function& operator=(const named_function&) = delete;
  ~named_function() { leave(); }

  [[nodiscard]] any_function function() const noexcept { return function_; }
  [[nodiscard]] const std::type_info& signature() const noexcept { return *signature_; }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] const named_function* next() const noexcept { return next_; }

 private:
  void enter() noexcept;
  void leave() noexcept;

  any_function function_;
  const std::type_info* signature_;
  std::uint64_t number_ = 0;
  named_function* next_ = nullptr;
};

template <auto* Function>
inline named_function listed_function{Function};

template <auto Function>
inline constinit std::atomic<std::uint64_t> cached_token{0};

/// @param function  used if `listed` is not constructed yet
[[nodiscard]] callable_token token_of_listed(const named_function& listed, any_function function);
[[nodiscard]] callable_token token_of_address(any_function function);

enum class callable_kind {
  named,    ///< named at compile time
  function  ///< any in a module with named functions
};
/// @param signature  null: not checked
[[nodiscard]] any_function resolve_address(callable_token token, callable_kind kind,
                                           const std::type_info* signature);

template <class Signature>
[[nodiscard]] Signature* resolve_named(callable_token token) {
  return reinterpret_cast<Signature*>(
      resolve_address(token, callable_kind::named, &typeid(Signature)));
}

}  // namespace global

/// Token of a function known at compile time. Cost: one load after the first call.
template <auto* Function>
  requires std::is_function_v<std::remove_pointer_t<decltype(Function)>>
[[nodiscard]] callable_token token_of() {
  auto& cached = global::cached_token<Function>;
  std::uint64_t token = cached.load(std::memory_order_relaxed);
  if (token == 0) [[unlikely]] {
    token = static_cast<std::uint64_t>(global::token_of_listed(
        global::listed_function<Function>, reinterpret_cast<global::any_function>(Function)));
    cached.store(token, std::memory_order_relaxed);
  }
  // A token is any number. NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  return callable_token{token};
}

/// Token of a non-null function known at run time.
/// @throws acre::error unless it is a function of the program or of a library built with Acre
template <class Result, class... Arguments>
[[nodiscard]] callable_token token_of(Result (*function)(Arguments...)) {
  return global::token_of_address(reinterpret_cast<global::any_function>(function));
}

/// Function of `token` on this rank. The signature is checked only for functions named
/// at compile time.
///
/// Thread-safe. Cost: a lock-free hash lookup, except for new tokens. Modules with named functions
/// must stay loaded.
/// @throws acre::error if no module has that hash, no callable function begins there, or the
/// signature differs
template <class Signature>
  requires std::is_function_v<Signature>
[[nodiscard]] Signature* resolve(callable_token token) {
  return reinterpret_cast<Signature*>(
      global::resolve_address(token, global::callable_kind::function, &typeid(Signature)));
}

}  // namespace acre
