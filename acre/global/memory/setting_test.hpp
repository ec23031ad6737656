// SPDX-License-Identifier: BSD-3-Clause
// Environment variables for tests.
#pragma once

#include <acre/global/team/team.hpp>

#include <cstdlib>
#include <string>

namespace acre::global_test {

class setting {
 public:
  setting(const char* name, const std::string& value) : name_(name) {
    barrier();
    ::setenv(name, value.c_str(), 1);
  }
  setting(const setting&) = delete;
  setting& operator=(const setting&) = delete;
  ~setting() { ::unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace acre::global_test
