// SPDX-License-Identifier: BSD-3-Clause
// Shared library that calls Acre.
#include <acre/base/error.hpp>

std::string name_of_process();
std::string name_of_process() { return acre::process_identity(); }
