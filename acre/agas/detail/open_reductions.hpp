// SPDX-License-Identifier: BSD-3-Clause
// Incomplete reductions of contribute(): values of members at a home, of homes at the root.
#pragma once

#include <acre/base/spin_lock.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::agas {

struct reduction_key {
  std::uint64_t collection = 0;
  std::uint64_t section = 0;  ///< 0: the whole collection
  std::uint64_t round = 0;
  bool is_at_root = false;

  friend auto operator<=>(const reduction_key&, const reduction_key&) = default;
};

class open_reduction {
 public:
  open_reduction(std::size_t expected, const std::type_info& type) noexcept
      : expected_(expected), type_(type) {}
  open_reduction(const open_reduction&) = delete;
  open_reduction& operator=(const open_reduction&) = delete;
  virtual ~open_reduction() = default;

  [[nodiscard]] std::size_t expected() const noexcept { return expected_; }
  [[nodiscard]] virtual std::size_t present() const noexcept = 0;
  /// @throws acre::error if the types differ
  void require_type(const reduction_key& key, const std::type_info& type) const;

 private:
  std::size_t expected_;
  const std::type_info& type_;
};

/// Empty for a home without members.
template <class Value>
class open_reduction_of final : public open_reduction {
 public:
  using open_reduction::open_reduction;

  [[nodiscard]] std::size_t present() const noexcept override { return parts.size(); }

  std::map<std::uint64_t, std::optional<Value>> parts;
};

struct open_reductions {
  spin_lock lock;
  std::map<reduction_key, std::unique_ptr<open_reduction>> all;
};
[[nodiscard]] open_reductions& the_open_reductions();

[[noreturn]] void throw_part_repeated(const reduction_key& key, std::uint64_t part);

struct part_added {
  bool is_first = false;
  bool is_last = false;
};

/// The last part moves the values, in the order of parts, into `complete`.
/// @throws acre::error if the part is repeated, or types differ
template <class Value>
part_added add_part(const reduction_key& key, std::size_t expected, const std::type_info& type,
                    std::uint64_t part, std::optional<Value> value, std::vector<Value>& complete) {
  using reduction = open_reduction_of<Value>;
  part_added added;
  std::unique_ptr<open_reduction> whole;
  {
    auto fresh = std::make_unique<reduction>(expected, type);
    open_reductions& open = the_open_reductions();
    const std::lock_guard hold(open.lock);
    const auto [at, is_first] = open.all.try_emplace(key, std::move(fresh));
    at->second->require_type(key, type);
    auto& here = static_cast<reduction&>(*at->second);
    added.is_first = is_first;
    if (!here.parts.emplace(part, std::move(value)).second) throw_part_repeated(key, part);
    added.is_last = here.parts.size() == here.expected();
    if (!added.is_last) return added;
    whole = std::move(at->second);
    open.all.erase(at);
  }
  for (auto& [number, each] : static_cast<reduction&>(*whole).parts) {
    if (each) complete.push_back(std::move(*each));
  }
  return added;
}

[[nodiscard]] bool is_open(const reduction_key& key);

/// @return description of one, or an empty text
[[nodiscard]] std::string drop_reductions(std::uint64_t collection);
void drop_all_reductions() noexcept;

}  // namespace acre::agas
