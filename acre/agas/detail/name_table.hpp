// SPDX-License-Identifier: BSD-3-Clause
// Registered names stored on this rank. Thread-safe.
#pragma once

#include <acre/agas/detail/credit.hpp>
#include <acre/agas/gid.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace acre::agas {

void bind_name(const std::string& name, const reference& to);
[[nodiscard]] reference find_name(const std::string& name);
/// drain() does not wait for it: the name may never be registered.
struct find_name_or_wait {
  future<reference> operator()(const std::string& name) const;
};
}  // namespace acre::agas

template <>
inline constexpr bool acre::global::may_never_end<acre::agas::find_name_or_wait> = true;

namespace acre::agas {

bool unbind_name(const std::string& name);
[[nodiscard]] std::vector<std::string> bound_names_with(const std::string& prefix);

void add_bound_names(const std::unordered_set<gid>& objects,
                     std::vector<std::pair<std::string, gid>>& lines);
void forget_names() noexcept;

}  // namespace acre::agas
