// SPDX-License-Identifier: BSD-3-Clause
// Distributed reference counting by credit (weighted references: Bevan, Watson and Watson, PARLE
// 1987). The home issues credit. A rank's record of an object holds credit and counts the rank's
// references; local copies need no message. A sent reference carries at most half of the record's
// credit. An object is unreferenced when all credit has returned.
#pragma once

#include <acre/agas/gid.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace acre::agas {

struct held_credit {
  gid name;
  std::uint64_t credit = 0;
  std::atomic<std::uint32_t> references{0};  ///< reaches and leaves 0 under the lock only
};

[[nodiscard]] held_credit* first_reference(const gid& name);
/// Reference from a received name; adds the credit that it carries.
[[nodiscard]] held_credit* take_reference(const gid& name);
inline void copy_reference(held_credit& held) noexcept {
  held.references.fetch_add(1, std::memory_order_relaxed);
}
/// Dropping the rank's last reference queues its credit for the home.
void drop_reference(held_credit& held) noexcept;

/// Returns a name with at most half of the held credit, a power of two; null if `held` is. If only
/// 1 is left, blocks to request more from the home: 2 M.
[[nodiscard]] gid share_credit(held_credit* held);
[[nodiscard]] gid spend_credit(held_credit* held);
void return_credit(const gid& name) noexcept;

/// An untyped reference, or null; deserialized once only.
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

/// Records references sent and received by this thread, to undo a failed transfer.
class credit_trail {
 public:
  credit_trail() noexcept;
  ~credit_trail();
  credit_trail(const credit_trail&) = delete;
  credit_trail& operator=(const credit_trail&) = delete;

  void note_shared(held_credit& from, std::uint64_t credit);
  void note_taken(held_credit& into, std::uint64_t credit);
  /// True if each reference received is to one of `names`, with no more credit.
  [[nodiscard]] bool took_only(std::span<const gid> names) const;
  void undo() noexcept;

 private:
  struct step {
    reference keeps;
    std::uint64_t credit;
    bool is_taken;
  };
  std::vector<step> steps_;
  credit_trail* outer_;
};

/// Reference that shares this rank's credit; null if the rank holds none.
[[nodiscard]] held_credit* copy_held_reference(const gid& name) noexcept;

/// Requests credit from the home. Null if the object does not exist, is not counted, or is about to
/// end because its last reference was dropped. Cost: 2 M.
[[nodiscard]] future<reference> request_reference(const gid& name);
/// As above.
/// @throws acre::error  by the future, instead of null
[[nodiscard]] future<reference> refer_to(const gid& name);

[[nodiscard]] unsigned log2_of_new_credit() noexcept;
void issue_credit(std::span<const gid> names) noexcept;

/// While it exists, this thread writes references with credit 1, not deducted: for files, which may
/// be read repeatedly.
class names_only {
 public:
  names_only() noexcept;
  ~names_only();
  names_only(const names_only&) = delete;
  names_only& operator=(const names_only&) = delete;

 private:
  bool before_;
};

[[nodiscard]] std::uint64_t issued_credit(const gid& name) noexcept;
[[nodiscard]] std::uint64_t credit_held(const gid& name) noexcept;

struct credit_line {
  gid name;
  std::uint64_t credit = 0;
  std::uint32_t references = 0;
};

void add_held_credit(const std::unordered_set<gid>& objects, std::vector<credit_line>& lines);

void end_unreferred_by(void (*end)(const gid& name)) noexcept;
/// @param threshold  number of objects whose credit is returned at once
void start_credit(std::size_t threshold) noexcept;
[[nodiscard]] std::uint64_t objects_with_waiting_credit() noexcept;
void forget_credit() noexcept;

}  // namespace acre::agas
