// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/histogram.hpp>

#include <acre/base/error.hpp>

#include <sstream>

namespace acre::algorithm {

void throw_no_bins(double first, double last, const site& where) {
  std::ostringstream text;
  text << "there are no bins from " << first << " to " << last << describe_place(where);
  throw error("histogram_on_all", text.str(), "give a first value below the last");
}

}  // namespace acre::algorithm
