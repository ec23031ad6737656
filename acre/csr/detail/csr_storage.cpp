// SPDX-License-Identifier: BSD-3-Clause
#include <acre/csr/detail/csr_storage.hpp>

#include <acre/base/error.hpp>
#include <acre/base/split_mix.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace acre::csr {
namespace {

constexpr const char* maker = "csr_matrix";
constexpr const char* csr_matrix_ending = "the destructor of the csr_matrix made";

/// Hash of values that must agree on all members.
std::uint64_t number_of(const csr_storage::shape& wanted) {
  std::uint64_t number = wanted.columns * 31 + wanted.value_bytes;
  for (rank_t member = 0; member < wanted.rows.members(); ++member) {
    number = mix_bits(number ^ wanted.rows.first_of(member));
  }
  return number;
}

struct block_parts {
  block_parts(const team& members, const csr_storage::shape& wanted, std::size_t entries)
      : columns(round_up((wanted.rows.count_of(members.rank()) + 1) * sizeof(std::uint64_t),
                         csr_storage::alignment)),
        values(columns + round_up(entries * sizeof(column_t), csr_storage::alignment)),
        bytes(values + entries * wanted.value_bytes) {}

  std::size_t columns;
  std::size_t values;
  std::size_t bytes;
};

team_memory make_block(const team& members, const csr_storage::shape& wanted, std::size_t entries,
                       const site& where) {
  check_columns(maker, wanted.columns, where);
  check_members(maker, wanted.rows, members.size(), where);
  return team_memory(members, block_parts(members, wanted, entries).bytes, csr_storage::alignment,
                     maker,
                     {.number = wanted.rows.rows(),
                      .unit = "rows",
                      .shape = number_of(wanted),
                      .type = wanted.value},
                     where);
}

}  // namespace

csr_storage::csr_storage(const team& members, const shape& wanted, std::size_t entries,
                         const site& where)
    : team_object(members, make_block(members, wanted, entries, where), csr_matrix_ending, where),
      shape_(wanted) {
  const block_parts parts(members, wanted, entries);
  runtime::use_huge_pages(memory().mine(), parts.bytes);
  agree({entries, static_cast<std::ptrdiff_t>(parts.columns),
         static_cast<std::ptrdiff_t>(parts.values)},
        where);
}

csr_storage::csr_storage(const team& members, const shape& wanted, csr_entries mine,
                         const site& where)
    : team_object(members, make_block(members, wanted, 0, where), csr_matrix_ending, where),
      shape_(wanted),
      columns_(std::move(mine.columns)),
      values_(std::move(mine.values)) {
  const auto behind_block = [this](const global::segment_block& of) {
    return of.data() == nullptr ? 0 : of.data() - memory().mine();
  };
  agree({mine.count, behind_block(columns_), behind_block(values_)}, where);
}

csr_storage::~csr_storage() {
  if (release()) return;
  columns_.abandon();
  values_.abandon();
}

void csr_storage::agree(const place& mine, const site& where) {
  const runtime::failures_held until_all_agree;
  places_ = members().allgather(mine, where);
  for (rank_t member = 0; member < members().size(); ++member) {
    all_ += entries_of(member);
    is_near_ = is_near_ && direct(member) != nullptr;
  }
}

std::optional<std::size_t> find_column(std::span<const column_t> columns,
                                       std::size_t column) noexcept {
  const auto found = std::lower_bound(columns.begin(), columns.end(), column);
  if (found == columns.end() || *found != column) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

void throw_no_entry(const char* call, std::size_t row, std::size_t column, const csr_storage& all,
                    const site& where) {
  throw error(call,
              "row " + std::to_string(row) + ", column " + std::to_string(column) +
                  " is out of range" + describe_place(where),
              "the matrix has " + std::to_string(all.rows().rows()) + " rows and " +
                  std::to_string(all.columns()) + " columns");
}

void throw_not_own(const char* call, std::size_t index, std::size_t first, std::size_t count,
                   const site& where) {
  throw error(call,
              "x has element " + std::to_string(index) + " on a member with " +
                  std::to_string(count) + " rows from row " + std::to_string(first) +
                  describe_place(where),
              "pass each element on the owner of its row: cut.owner(index)");
}

void check_columns(const char* call, std::size_t columns, const site& where) {
  if (columns <= std::numeric_limits<column_t>::max()) return;
  throw error(call, std::to_string(columns) + " columns are out of range" + describe_place(where),
              "use at most 2^32 - 1 columns");
}

void check_part(std::size_t rows_wanted, std::size_t columns_wanted,
                std::span<const std::uint64_t> offsets, std::span<const column_t> columns,
                std::size_t values, bool has_values, const site& where) {
  const auto refuse = [&](const std::string& what) {
    throw error(maker, what + describe_place(where),
                "offsets must ascend from 0 and end with the number of entries, the columns of "
                "each row must ascend, and each needs one value");
  };
  if (offsets.size() != rows_wanted + 1) {
    refuse("this member has " + std::to_string(rows_wanted) + " rows, but " +
           std::to_string(offsets.size()) + " offsets instead of rows + 1");
  }
  if (offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
      offsets.back() != columns.size()) {
    refuse("the offsets do not ascend from 0 to " + std::to_string(columns.size()) +
           ", the number of entries");
  }
  if (has_values && values != columns.size()) {
    refuse(std::to_string(columns.size()) + " columns do not match " + std::to_string(values) +
           " values");
  }
  for (std::size_t row = 0; row < rows_wanted; ++row) {
    for (std::size_t place = offsets[row]; place < offsets[row + 1]; ++place) {
      if (columns[place] >= columns_wanted ||
          (place > offsets[row] && columns[place] <= columns[place - 1])) {
        refuse("column " + std::to_string(columns[place]) + " of row " + std::to_string(row) +
               " of this member does not ascend, or exceeds the " + std::to_string(columns_wanted) +
               " columns");
      }
    }
  }
}

void check_equal(const char* call, const char* what, std::size_t one, const char* other_what,
                 std::size_t other, const site& where) {
  if (one == other) return;
  throw error(call,
              std::string(what) + " are " + std::to_string(one) + ", but " + other_what + " are " +
                  std::to_string(other) + describe_place(where),
              "both must be equal");
}

void check_same_cut(const char* call, const char* what, const row_cut& one, const row_cut& other,
                    const site& where, const char* like) {
  if (one == other) return;
  throw error(call, std::string(what) + " has another row_cut than " + like + describe_place(where),
              std::string("construct it with the cut of ") + like);
}

}  // namespace acre::csr
