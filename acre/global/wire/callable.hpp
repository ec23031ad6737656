// SPDX-License-Identifier: BSD-3-Clause
// The name of a function that means the same on every rank.
//
// Ranks load the same binary at different addresses (and each library at its
// own), so an address cannot travel. A token can: which module holds the
// function (a hash of its build-id), and how far from the module's start. A
// rank that runs another build finds no module of that hash, and says so
// instead of jumping into the wrong function.
//
// A token that has come over a network names nothing but what may be called: functions that the
// program has named when it was compiled, each of which lists itself, with its signature, before
// main() runs or when its library is loaded; and, for pointers to functions, the first byte of a
// function of a module that has named some. So there is no way into the middle of a function, into
// the C library, or into a function of other arguments.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

namespace acre {

/// A position-independent name of a function: the module's hash in the upper
/// half, the offset from the module's first byte in the lower. Never zero.
enum class callable_token : std::uint64_t { none = 0 };

namespace global {

using any_function = void (*)();

/// A function that the program has named, in the list of all. An object of static storage.
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

  /// Null before it is made.
  [[nodiscard]] any_function function() const noexcept { return function_; }
  [[nodiscard]] const std::type_info& signature() const noexcept { return *signature_; }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] const named_function* next() const noexcept { return next_; }

 private:
  void enter() noexcept;
  void leave() noexcept;  ///< its library is unloaded, or the program ends

  any_function function_;
  const std::type_info* signature_;
  std::uint64_t number_ = 0;
  named_function* next_ = nullptr;
};

/// One for each function of which the program takes the token.
template <auto* Function>
inline named_function listed_function{Function};

/// One word for each function named in the program; zero until it is first used.
template <auto Function>
inline constinit std::atomic<std::uint64_t> cached_token{0};

/// @param function  in the place of `listed`, as long as that has not been made
[[nodiscard]] callable_token token_of_listed(const named_function& listed, any_function function);
[[nodiscard]] callable_token token_of_address(any_function function);

enum class callable_kind {
  named,    ///< by the program, when it was compiled
  function  ///< any of a module that has named some
};
/// @param signature  null: whatever it is
[[nodiscard]] any_function resolve_address(callable_token token, callable_kind kind,
                                           const std::type_info* signature);

/// The function that the program has named, with this signature.
/// @throws as resolve()
template <class Signature>
[[nodiscard]] Signature* resolve_named(callable_token token) {
  return reinterpret_cast<Signature*>(
      resolve_address(token, callable_kind::named, &typeid(Signature)));
}

}  // namespace global

/// The token of a function known at compile time, after the first call one load.
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

/// The token of a function known at run time. `function` must not be null.
/// @throws acre::error when the address is not where a function begins of the program, or of a
///         library that was built with Acre
template <class Result, class... Arguments>
[[nodiscard]] callable_token token_of(Result (*function)(Arguments...)) {
  return global::token_of_address(reinterpret_cast<global::any_function>(function));
}

/// The function that `token` names, on this rank. That a function has this signature is known of
/// those that were named at compile time; of others it is the caller's word.
///
/// Any thread; a look into a hash table, and no lock, but for a token that was not met before.
/// Modules whose functions have been named must stay loaded.
/// @throws acre::error when no module of this rank has that hash ("runs a different binary"), when
///         no function begins there that may be called, or when it has another signature
template <class Signature>
  requires std::is_function_v<Signature>
[[nodiscard]] Signature* resolve(callable_token token) {
  return reinterpret_cast<Signature*>(
      global::resolve_address(token, global::callable_kind::function, &typeid(Signature)));
}

}  // namespace acre
