// The name of a function that means the same on every rank.
//
// Ranks load the same binary at different addresses (and each library at its
// own), so an address cannot travel. A token can: which module holds the
// function (a hash of its build-id), and how far from the module's start. A
// rank that runs another build finds no module of that hash, and says so
// instead of jumping into the wrong function.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace acre {

/// A position-independent name of a function: the module's hash in the upper
/// half, the offset from the module's first byte in the lower. Never zero.
enum class callable_token : std::uint64_t { none = 0 };

namespace detail {

using any_function = void (*)();

[[nodiscard]] callable_token token_of_address(any_function function);
[[nodiscard]] any_function resolve_address(callable_token token);

/// One word for each function named in the program; zero until it is first used.
template <auto Function>
inline constinit std::atomic<std::uint64_t> cached_token{0};

}  // namespace detail

/// The token of a function known at compile time, after the first call one load.
template <auto* Function>
  requires std::is_function_v<std::remove_pointer_t<decltype(Function)>>
[[nodiscard]] callable_token token_of() {
  auto& cached = detail::cached_token<Function>;
  std::uint64_t token = cached.load(std::memory_order_relaxed);
  if (token == 0) [[unlikely]] {
    token = static_cast<std::uint64_t>(
        detail::token_of_address(reinterpret_cast<detail::any_function>(Function)));
    cached.store(token, std::memory_order_relaxed);
  }
  // A token is any number. NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  return callable_token{token};
}

/// The token of a function known at run time. `function` must not be null.
/// @throws acre::error when the address is in no loaded module (generated code)
template <class Result, class... Arguments>
[[nodiscard]] callable_token token_of(Result (*function)(Arguments...)) {
  return detail::token_of_address(reinterpret_cast<detail::any_function>(function));
}

/// The function that `token` names, on this rank. That it has this signature
/// is the caller's word; that it is code of this binary is checked.
///
/// Any thread; no lock and no allocation unless a library was loaded since.
/// Modules whose functions have been named must stay loaded.
/// @throws acre::error when no module of this rank has that hash ("runs a
///         different binary"), or when the offset is not in its code
template <class Signature>
  requires std::is_function_v<Signature>
[[nodiscard]] Signature* resolve(callable_token token) {
  return reinterpret_cast<Signature*>(detail::resolve_address(token));
}

}  // namespace acre
