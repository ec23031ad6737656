// SPDX-License-Identifier: BSD-3-Clause
// Sets an environment variable for a scope.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace acre::base_test {

class variable {
 public:
  variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() {
    if (old_) {
      ::setenv(name_, old_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace acre::base_test
