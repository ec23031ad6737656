// SPDX-License-Identifier: BSD-3-Clause
// A shared library that calls Acre, for tests of what ranks must have alike.
#include <acre/base/error.hpp>

std::string name_of_process();
std::string name_of_process() { return acre::process_identity(); }
