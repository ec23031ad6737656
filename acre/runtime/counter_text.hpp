// The counters of ranks as text, for people and for programs.
#pragma once

#include <acre/runtime/counters.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::runtime {

/// One name a counter, in the order of the enumeration.
[[nodiscard]] std::string_view name_of(counted what);

/// The counters of all ranks as a table for people, or as JSON.
[[nodiscard]] std::string counter_table_text(const std::vector<counter_values>& ranks);
[[nodiscard]] std::string counter_json(const std::vector<counter_values>& ranks);

}  // namespace acre::runtime
