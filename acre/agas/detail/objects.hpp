// The objects of this rank, as the templates of this room see them.
#pragma once

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/detail/hosted_object.hpp>
#include <acre/agas/detail/parcel.hpp>
#include <acre/agas/gid.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/wire/with_payload.hpp>
#include <acre/runtime/payload_block.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::detail {

/// Where an object is, as of its so many'th move.
struct place {
  rank_t owner = 0;
  std::uint32_t epoch = 0;
};

/// What the token of a parcel's function names. `arguments` begin at the header's end.
/// @return whether the call is over; else end_call() says so
/// Without an object it only reads the arguments.
using object_invoker = bool(hosted_object* object, reader& arguments, const parcel_header& parcel);

struct destroy_hosted {
  void operator()(hosted_object* object) const noexcept { object->type->destroy(object); }
};
using object_owner = std::unique_ptr<hosted_object, destroy_hosted>;

/// Gives an object, whose type it knows, its name; its home is this rank.
[[nodiscard]] gid settle(object_owner object, bool is_counted);

/// Stops the compiler where T cannot be made of these.
template <class T, class... Arguments>
consteval bool require_constructor() {
  constexpr bool has_constructor = std::is_constructible_v<T, Arguments...>;
  static_assert(has_constructor,
                "objects of this class cannot be made of these arguments: it has no constructor "
                "that takes them");
  return has_constructor;
}

/// Makes an object here.
template <class T, class... Arguments>
[[nodiscard]] gid settle_here(bool is_counted, Arguments&&... arguments) {
  if constexpr (require_constructor<T, Arguments...>()) {
    object_type& type = type_of<T>();
    auto made = std::make_unique<hosted<T>>(std::forward<Arguments>(arguments)...);
    made->type = &type;
    return settle(object_owner(made.release()), is_counted);
  } else {
    return {};
  }
}

/// The object, if it is here and not about to leave; it stays until unpin(). For work that calls no
/// object.
[[nodiscard]] hosted_object* pin(const gid& name) noexcept;
void unpin(hosted_object& object) noexcept;
/// The same for users. The record stays where it is until then.
void pin(const gid& name, pin_record& by) noexcept;
void unpin(pin_record& by) noexcept;
/// The same pin, with another record.
void move_pin(pin_record& from, pin_record& to) noexcept;
[[nodiscard]] bool is_here(gid name) noexcept;
void prefetch(std::span<const gid> names) noexcept;

/// @throws acre::error when the name is that of an object of another type
void require_type(const gid& name, object_type& wanted);

/// @throws acre::error when it is of no object
void require_name(const gid& name, const char* call);

/// Where a parcel for the object should go.
/// @throws acre::error when it is of no object
[[nodiscard]] place where_to_send(const gid& name);

/// Numbers the parcel, whose bytes hold everything else, and sends it.
void send_parcel(rank_t target, std::span<std::byte> parcel);
void send_parcel(rank_t target, runtime::payload_block& parcel);

/// Sends header and values.
template <class... Values>
void send_parcel_of(parcel_header header, const Values&... values) {
  const place to = where_to_send(header.target);
  header.caller = rank();
  header.epoch = to.epoch;
  const auto send = [&](auto&& payload) {
    if constexpr (requires { payload.has_place(); }) {
      send_parcel(to.owner, payload);
    } else {
      // Written by us a moment ago, into memory that is no constant.
      send_parcel(to.owner, {const_cast<std::byte*>(payload.data()), payload.size()});
    }
  };
  if constexpr ((may_be_read_twice<Values>() && ...)) {
    with_payload_for(to.owner, send, header, values...);
  } else {
    // What references share before something behind them cannot be written is theirs again.
    std::optional<credit_trail> shared(std::in_place);
    const auto send_all = [&](auto&& payload) {
      shared.reset();
      send(std::forward<decltype(payload)>(payload));
    };
    try {
      with_payload_for(to.owner, send_all, header, values...);
    } catch (...) {
      if (shared) shared->undo();
      throw;
    }
  }
}

/// The same for a header alone whose object is here, without a message.
/// @return false: it is not here, and nothing has been done
[[nodiscard]] bool call_here(parcel_header header);

[[nodiscard]] inline rpc_return_address caller_of(const parcel_header& parcel) noexcept {
  return {.caller = parcel.caller,
          .promise = parcel.answer[0],
          .finisher = parcel.answer[1],
          .may_be_gathered = true};
}

/// The call that this thread runs goes on when its function has returned, until what it has
/// returned is ready: from then on this is its record.
void let_go_on(hosted_object& object, running_call& record,
               const future_state_base* ends_by) noexcept;
/// It was over before its function could return that.
void take_back(hosted_object& object, running_call& record) noexcept;
/// A call that has gone on after its invoker's return is over, and gives back the credit of its
/// name.
void end_call(const gid& name, running_call& record) noexcept;

}  // namespace acre::detail
