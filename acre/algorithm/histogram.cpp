// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/histogram.hpp>

#include <acre/base/error.hpp>

#include <sstream>

namespace acre::algorithm {

void throw_no_bins(double first, double last, const site& where) {
  std::ostringstream text;
  text << "the range of the bins, from " << first << " to " << last << ", is empty or not a number"
       << describe_place(where);
  throw error("histogram_on_all", text.str(), "`first` must be less than `last`");
}

}  // namespace acre::algorithm
