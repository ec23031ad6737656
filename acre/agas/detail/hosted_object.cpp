#include <acre/agas/detail/hosted_object.hpp>

#include <algorithm>

namespace acre::detail {
namespace {

/// What the object knows of a caller, or where that would be.
std::vector<caller_stream>::iterator find(std::vector<caller_stream>& callers, rank_t caller) {
  return std::ranges::lower_bound(callers, caller, {}, &caller_stream::caller);
}

constexpr std::uint32_t calls_a_hint = 8;

}  // namespace

bool hosted_object::take_turn(const parcel_header& parcel) {
  const auto at = find(callers, parcel.caller);
  if (at == callers.end() || at->caller != parcel.caller) {
    if (parcel.number != 0) return false;
    const std::uint32_t untold = parcel.hops == 0 ? 0 : calls_a_hint - 1;
    callers.insert(at,
                   {.caller = parcel.caller, .stream = parcel.stream, .next = 1, .untold = untold});
    return true;
  }
  // A stream begins when all of the one before has come.
  if (at->stream != parcel.stream && parcel.number == 0) {
    *at = {parcel.caller, parcel.stream, 0, at->untold};
  }
  if (at->stream != parcel.stream || at->next != parcel.number) return false;
  ++at->next;
  return true;
}

bool hosted_object::wants_hint(const parcel_header& parcel) noexcept {
  const auto at = find(callers, parcel.caller);
  if (at == callers.end() || at->caller != parcel.caller) return true;
  const bool is_told = at->untold == 0;
  at->untold = is_told ? calls_a_hint - 1 : at->untold - 1;
  return is_told;
}

}  // namespace acre::detail
