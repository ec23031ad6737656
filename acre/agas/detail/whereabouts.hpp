// SPDX-License-Identifier: BSD-3-Clause
// Descriptions of objects for errors.
#pragma once

#include <acre/agas/gid.hpp>
#include <acre/base/error.hpp>

#include <string>

namespace acre::agas {

/// "object 12.1 of rank 3, a cell"
[[nodiscard]] std::string describe_object(const gid& name);

/// "its home is rank 3; it was last known to be on rank 2". Takes the lock of the space.
[[nodiscard]] std::string describe_whereabouts(const gid& name);

[[nodiscard]] error no_such_object(const char* call, const gid& name);

}  // namespace acre::agas
