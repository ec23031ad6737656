// SPDX-License-Identifier: BSD-3-Clause
// The names of the program's own that lie on this rank, and the references that they are bound to.
//
// Any thread. names.hpp chooses the rank of a name, and calls these there.
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

/// @throws acre::error when the name is bound already
void bind_name(const std::string& name, const reference& to);
/// @throws acre::error when it is not bound
[[nodiscard]] reference find_name(const std::string& name);
/// drain() does not wait for it: the name may be registered after that, or never.
struct find_name_or_wait {
  future<reference> operator()(const std::string& name) const;
};
}  // namespace acre::agas

template <>
inline constexpr bool acre::global::may_never_end<acre::agas::find_name_or_wait> = true;

namespace acre::agas {

/// @return whether it was bound
bool unbind_name(const std::string& name);
/// Those that begin with the prefix, sorted.
[[nodiscard]] std::vector<std::string> bound_names_with(const std::string& prefix);

/// Adds the names of these objects.
void add_bound_names(const std::unordered_set<gid>& objects,
                     std::vector<std::pair<std::string, gid>>& lines);
/// When a job ends: names of this rank are no more.
void forget_names() noexcept;

}  // namespace acre::agas
