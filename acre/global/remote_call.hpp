// Remote calls on bytes: a function that runs where the data is and answers with
// a word and bytes. Containers are made of them between nodes: one message to
// the owner, one back, and nothing is serialised.
//
// Acre's own functions run at once, in any thread of the target, also while the
// target computes: they must be short, must not send and must not wait. A
// function that runs user code runs in the target's own calls only.
#pragma once

#include <acre/global/at_owner.hpp>
#include <acre/global/callable.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace acre::detail {

using at_owner::run_by;

/// What a function leaves for its caller.
struct call_answer {
  fabric::word code = 0;
  std::vector<std::byte> bytes;  ///< at most max_payload()
};

/// What the caller gets: valid during `complete` only.
struct call_reply {
  bool failed = false;  ///< the function has thrown; the bytes are what() then
  fabric::word code = 0;
  std::span<const std::byte> bytes;
};

/// @param words   what the caller passed, at most most_call_words
/// @param payload the caller's bytes, in place: gone when the function returns; aligned to 8
using remote_function = void(std::span<const fabric::word> words,
                             std::span<const std::byte> payload, call_answer& answer);

inline constexpr std::size_t most_call_words = fabric::max_arguments - 2;

/// A call under way. It must stay where it is until it is complete.
struct call_ticket {
  /// Called when the answer is here, by whatever thread polls: short, must not
  /// send or wait. The ticket may be gone when it returns.
  void (*complete)(call_ticket&, const call_reply&) noexcept = nullptr;
};

/// Starts a call; when there is no room, waits while making internal progress.
void start_remote_call(rank_t target, run_by thread, callable_token function,
                       std::span<const fabric::word> words, std::span<const std::byte> payload,
                       call_ticket& ticket);

/// Calls and waits; user code of others runs meanwhile if this is a call that
/// runs user code over there. Cost: 2 M, one round trip.
/// @param result takes the answer's bytes, which must be as many or none
/// @throws acre::error when the function has thrown
/// @return the answer's code
fabric::word run_remote_call(rank_t target, run_by thread, callable_token function,
                             std::span<const fabric::word> words,
                             std::span<const std::byte> payload, std::span<std::byte> result,
                             const char* what,
                             const std::source_location& where = std::source_location::current());

}  // namespace acre::detail
