// SPDX-License-Identifier: BSD-3-Clause
// Traffic from a file of any kind that Acre reads: it is recognised by what is in
// it, whatever its name.
//
// A Matrix Market file begins with %%MatrixMarket; a graph of METIS with two to
// four numbers in its first line that is no comment.
#pragma once

#include <acre/mapping/communication.hpp>

#include <string>

namespace acre::machines {

/// Reads the whole file: O(its size) time and memory.
/// @return a communication named after the file, without its folder
/// @throws acre::error when the file cannot be read, is of no kind that is known, or is wrong
[[nodiscard]] mapping::communication read_communication(const std::string& path);

}  // namespace acre::machines
