// SPDX-License-Identifier: BSD-3-Clause
// Names in checkpoint states, stored as links to members.
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

[[nodiscard]] std::string describe_member(const std::string& type, std::size_t number,
                                          std::span<const std::size_t> extents);

/// Link to a named member.
/// @throws acre::error if that is not in `scope`
[[nodiscard]] checkpoint_format::link link_to(std::span<const collection_state* const> scope,
                                              const name_in_state& named,
                                              const std::string& holder);

/// Replaces links by names of this job; returns the references. @throws acre::error on an invalid
/// link
[[nodiscard]] std::vector<gid> bind_names(std::span<std::byte> state,
                                          std::span<const checkpoint_format::link> links,
                                          std::span<const std::unique_ptr<collection_state>> all);

}  // namespace acre::agas
