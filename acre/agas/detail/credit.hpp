// SPDX-License-Identifier: BSD-3-Clause
// Credit: how a home knows that nobody refers to an object any more.
//
// Whoever refers to an object has a part of the credit that its home has issued. A rank has one
// record for each object that it refers to, however many references share it. The home hears only
// of what comes back, and sees from the sum that all has come: no counting up, no message where a
// reference is copied (weighted references: Bevan, Watson and Watson, PARLE 1987).
#pragma once

#include <acre/agas/gid.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <atomic>
#include <cstdint>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace acre::agas {

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

/// The name, or none, with half of the credit that is held. Where there is only one, the home
/// issues more first: 2 M, and a wait.
[[nodiscard]] gid share_credit(held_credit* held);
/// The same with one.
[[nodiscard]] gid spend_credit(held_credit* held);
/// Sends back what a name carries.
void return_credit(const gid& name) noexcept;

/// A reference to an object of any type, or none. It travels once: what it brings is not to be read
/// twice.
class reference {
 public:
  reference() noexcept = default;
  explicit reference(held_credit* held) noexcept : held_(held) {}
  reference(const reference& other) noexcept : held_(other.held_) {
    if (held_ != nullptr) copy_reference(*held_);
  }
  reference(reference&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  reference& operator=(reference other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~reference() {
    if (held_ != nullptr) drop_reference(*held_);
  }

  [[nodiscard]] gid name() const noexcept { return held_ == nullptr ? gid() : held_->name; }
  [[nodiscard]] explicit operator bool() const noexcept { return held_ != nullptr; }
  [[nodiscard]] friend bool operator==(const reference& a, const reference& b) noexcept {
    return a.held_ == b.held_;
  }
  [[nodiscard]] held_credit* held() const noexcept { return held_; }

  friend gid acre_save(const reference& sent) { return share_credit(sent.held_); }
  friend reference acre_load(std::type_identity<reference>, const gid& come) {
    return come.has_credit() ? reference(take_reference(come)) : reference();
  }

 private:
  held_credit* held_ = nullptr;
};

}  // namespace acre::agas

template <>
inline constexpr bool acre::global::travels_once<acre::agas::reference> = true;

namespace acre::agas {

/// Notes what references this thread sends and receives while it lives, for a state of which that
/// may come to nothing.
class credit_trail {
 public:
  credit_trail() noexcept;
  ~credit_trail();
  credit_trail(const credit_trail&) = delete;
  credit_trail& operator=(const credit_trail&) = delete;

  void note_shared(held_credit& from, std::uint64_t credit);
  void note_taken(held_credit& into, std::uint64_t credit);
  /// Whether each reference that was taken is one of these names, with the credit that it carries.
  [[nodiscard]] bool took_only(std::span<const gid> names) const;
  /// What was shared is held again, and what was taken is in the state again.
  void undo() noexcept;

 private:
  struct step {
    reference keeps;  ///< so that what is held is not sent home before
    std::uint64_t credit;
    bool is_taken;
  };
  std::vector<step> steps_;
  credit_trail* outer_;
};

/// A reference to an object of which only the name is known: its home issues credit. Cost: 2 M.
/// @throws acre::error  the future, when there is no such object
[[nodiscard]] future<reference> refer_to(const gid& name);

/// The credit that a home issues at once, as a power of two.
[[nodiscard]] unsigned log2_of_new_credit() noexcept;
/// At home: so much more has been issued for each of these, and taken without a word.
void issue_credit(std::span<const gid> names) noexcept;

/// While one of these lives, references that this thread writes are names, with a credit of one
/// that nobody has taken: for files, of which nobody knows how often they are read.
class names_only {
 public:
  names_only() noexcept;
  ~names_only();
  names_only(const names_only&) = delete;
  names_only& operator=(const names_only&) = delete;

 private:
  bool before_;
};

/// What home has issued, and not got back: none where the object is no more.
[[nodiscard]] std::uint64_t issued_credit(const gid& name) noexcept;
/// What this rank holds.
[[nodiscard]] std::uint64_t credit_held(const gid& name) noexcept;

/// Credit of an object: what a rank holds, or home has issued.
struct credit_line {
  gid name;
  std::uint64_t credit = 0;
  std::uint32_t references = 0;  ///< at home: 1 for that of a collection
};

/// Adds what this rank holds of these objects.
void add_held_credit(const std::unordered_set<gid>& objects, std::vector<credit_line>& lines);

/// When a job starts: the function that ends an object of this home when all its credit has come
/// back. It sends a parcel, and is above this part.
void end_unreferred_by(void (*end)(const gid& name)) noexcept;
/// When a job ends: references of this rank are no more.
void forget_credit() noexcept;

}  // namespace acre::agas
