#include <acre/sparse/detail/csr_storage.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/memory.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace acre::detail {
namespace {

constexpr const char* maker = "csr_matrix";

std::size_t checked_columns(std::size_t columns, const site& where) {
  if (columns > std::numeric_limits<column_t>::max()) {
    throw error(maker, std::to_string(columns) + " columns are too many" + describe_place(where),
                "columns have 32 bits");
  }
  return columns;
}

/// A number for what members must agree on besides the rows.
std::uint64_t number_of(const csr_storage::shape& wanted) {
  std::uint64_t number = wanted.columns * 31 + wanted.value_bytes;
  for (rank_t member = 0; member < wanted.rows.members(); ++member) {
    number = (number ^ wanted.rows.first_of(member)) * 0x9e3779b97f4a7c15U;
  }
  return number;
}

}  // namespace

csr_storage::csr_storage(const team& members, const shape& wanted, std::size_t entries,
                         const site& where)
    : members_(members), shape_(wanted), end_("the destructor of the csr_matrix made", where) {
  checked_columns(wanted.columns, where);
  if (wanted.rows.members() != members.size()) {
    throw error(maker, "the rows are cut for " + std::to_string(wanted.rows.members()) +
                           " members, and the team has " + std::to_string(members.size()) +
                           describe_place(where));
  }
  entries_ = members.allgather(entries, where);
  for (const std::size_t each : entries_) all_ += each;
  const rank_t me = members.rank();
  const std::size_t bytes = values_at(me) + entries * wanted.value_bytes;
  blocks_ = team_memory(members, bytes, alignment, maker,
                        {.number = wanted.rows.rows(), .unit = "rows", .shape = number_of(wanted)},
                        where);
  runtime::use_huge_pages(blocks_.mine(), bytes);
  for (rank_t member = 0; member < members.size(); ++member) {
    is_near_ = is_near_ && direct(member) != nullptr;
  }
}

void throw_no_entry(const char* call, std::size_t row, std::size_t column, const csr_storage& all,
                    const site& where) {
  throw error(call,
              "there is no row " + std::to_string(row) + " with a column " +
                  std::to_string(column) + describe_place(where),
              "the matrix has " + std::to_string(all.rows().rows()) + " rows and " +
                  std::to_string(all.columns()) + " columns");
}

void check_part(std::size_t rows_wanted, std::size_t columns_wanted,
                std::span<const std::uint64_t> offsets, std::span<const column_t> columns,
                std::size_t values, bool has_values, const site& where) {
  const auto refuse = [&](const std::string& what) {
    throw error(maker, what + describe_place(where),
                "rows begin at ascending offsets from 0; the columns of each ascend");
  };
  if (offsets.size() != rows_wanted + 1) {
    refuse("this member has " + std::to_string(rows_wanted) + " rows, and " +
           std::to_string(offsets.size()) + " offsets");
  }
  if (offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
      offsets.back() != columns.size()) {
    refuse("the offsets of rows are not those of " + std::to_string(columns.size()) + " entries");
  }
  if (has_values && values != columns.size()) {
    refuse("there are " + std::to_string(columns.size()) + " columns and " +
           std::to_string(values) + " values");
  }
  for (std::size_t row = 0; row < rows_wanted; ++row) {
    for (std::size_t place = offsets[row]; place < offsets[row + 1]; ++place) {
      if (columns[place] >= columns_wanted ||
          (place > offsets[row] && columns[place] <= columns[place - 1])) {
        refuse("column " + std::to_string(columns[place]) + " of row " + std::to_string(row) +
               " of this member does not ascend, or is none of " + std::to_string(columns_wanted));
      }
    }
  }
}

void check_equal(const char* call, const char* what, std::size_t one, const char* other_what,
                 std::size_t other, const site& where) {
  if (one == other) return;
  throw error(call, std::string(what) + " are " + std::to_string(one) + ", and " + other_what +
                        " are " + std::to_string(other) + describe_place(where));
}

void check_same_cut(const char* call, const char* what, const row_cut& one, const row_cut& other,
                    const site& where) {
  if (one == other) return;
  throw error(call,
              std::string(what) + " is not cut into the rows of members as the matrix is" +
                  describe_place(where),
              "make it with the matrix's cut()");
}

}  // namespace acre::detail
