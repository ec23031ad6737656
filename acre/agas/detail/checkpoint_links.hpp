// SPDX-License-Identifier: BSD-3-Clause
// The names in the states of a checkpoint, which are links to members of its collections in the
// file.
#pragma once

#include <acre/agas/detail/checkpoint_format.hpp>
#include <acre/agas/detail/collection_state.hpp>
#include <acre/agas/detail/named_state.hpp>
#include <acre/agas/gid.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acre::agas {

/// "member 7 of 3 x 4 of cell"
[[nodiscard]] std::string describe_member(const std::string& type, std::size_t number,
                                          std::span<const std::size_t> extents);

/// The link for a name in a state.
/// @param scope  the collections of the file
/// @throws acre::error  that `holder` names something else
[[nodiscard]] checkpoint_format::link link_to(std::span<const collection_state* const> scope,
                                              const name_in_state& named,
                                              const std::string& holder);

/// Puts the names of this job into a state, at places that do not overlap.
/// @return the references among them
/// @throws acre::error when a link is invalid
[[nodiscard]] std::vector<gid> bind_names(std::span<std::byte> state,
                                          std::span<const checkpoint_format::link> links,
                                          std::span<const std::unique_ptr<collection_state>> all);

}  // namespace acre::agas
