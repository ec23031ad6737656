// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/host_name.hpp>

#include <climits>
#include <unistd.h>

namespace acre {

const std::string& host_name() {
  static const std::string name = [] {
    char text[HOST_NAME_MAX + 1] = {};
    return std::string(::gethostname(text, sizeof text - 1) == 0 ? text : "this host");
  }();
  return name;
}

}  // namespace acre
