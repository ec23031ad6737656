// Credit: how a home knows that nobody refers to an object any more.
//
// Whoever refers to an object has a part of the credit that its home has issued. A rank has one
// record for each object that it refers to, however many references share it. The home hears only
// of what comes back, and sees from the sum that all has come: no counting up, no message where a
// reference is copied (weighted references: Bevan, Watson and Watson, PARLE 1987).
#pragma once

#include <acre/agas/gid.hpp>

#include <atomic>
#include <cstdint>

namespace acre::detail {

/// What a rank holds of an object.
struct held_credit {
  gid name;
  std::uint64_t credit = 0;                  ///< under the lock
  std::atomic<std::uint32_t> references{0};  ///< comes to zero, and from there, under the lock only
};

/// For the first reference to an object that was made here.
[[nodiscard]] held_credit* first_reference(const gid& name);
/// For a reference that has come with this name, whose credit is added.
[[nodiscard]] held_credit* take_reference(const gid& name);
inline void copy_reference(held_credit& held) noexcept {
  held.references.fetch_add(1, std::memory_order_relaxed);
}
/// The last one sends all that is held back to the home, soon, with that of others.
void drop_reference(held_credit& held) noexcept;

/// The name, with half of the credit that is held. Where there is only one, the home issues more
/// first: 2 M, and a wait.
[[nodiscard]] gid share_credit(held_credit& held);
/// The name, with one.
[[nodiscard]] gid spend_credit(held_credit& held);
/// Sends back what a name carries.
void return_credit(const gid& name) noexcept;

/// What home has issued, and not got back: none where the object is no more.
[[nodiscard]] std::uint64_t issued_credit(const gid& name) noexcept;
/// What this rank holds.
[[nodiscard]] std::uint64_t credit_held(const gid& name) noexcept;

}  // namespace acre::detail
