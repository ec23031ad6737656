#include <acre/csr/detail/csr_storage.hpp>

#include <acre/base/error.hpp>
#include <acre/runtime/huge_pages.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace acre::detail {
namespace {

constexpr const char* maker = "csr_matrix";
constexpr const char* csr_matrix_ending = "the destructor of the csr_matrix made";

const csr_storage::shape& checked(const team& members, const csr_storage::shape& wanted,
                                  const site& where) {
  check_columns(maker, wanted.columns, where);
  check_members(maker, wanted.rows, members.size(), where);
  return wanted;
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
    : members_(members), shape_(checked(members, wanted, where)), end_(csr_matrix_ending, where) {
  const std::size_t values = offset_bytes() + round_up(entries * sizeof(column_t), alignment);
  const std::size_t bytes = values + entries * wanted.value_bytes;
  make_block(bytes, where);
  runtime::use_huge_pages(blocks_.mine(), bytes);
  agree({entries, static_cast<std::ptrdiff_t>(offset_bytes()), static_cast<std::ptrdiff_t>(values)},
        where);
}

csr_storage::csr_storage(const team& members, const shape& wanted, csr_entries mine,
                         const site& where)
    : members_(members),
      shape_(checked(members, wanted, where)),
      columns_(std::move(mine.columns)),
      values_(std::move(mine.values)),
      end_(csr_matrix_ending, where) {
  make_block(offset_bytes(), where);
  const auto behind_block = [this](const segment_block& of) {
    return of.data() == nullptr ? 0 : of.data() - blocks_.mine();
  };
  agree({mine.count, behind_block(columns_), behind_block(values_)}, where);
}

csr_storage::~csr_storage() {
  if (end_.release(blocks_, members_)) return;
  columns_.abandon();
  values_.abandon();
}

std::size_t csr_storage::offset_bytes() const noexcept {
  const std::size_t offsets = rows().count_of(members_.rank()) + 1;
  return round_up(offsets * sizeof(std::uint64_t), alignment);
}

void csr_storage::make_block(std::size_t bytes, const site& where) {
  blocks_ = team_memory(
      members_, bytes, alignment, maker,
      {.number = rows().rows(), .unit = "rows", .shape = number_of(shape_), .type = shape_.value},
      where);
}

void csr_storage::agree(const place& mine, const site& where) {
  places_ = members_.allgather(mine, where);
  for (rank_t member = 0; member < members_.size(); ++member) {
    all_ += entries_of(member);
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

void throw_not_own(const char* call, std::size_t index, std::size_t first, std::size_t count,
                   const site& where) {
  throw error(call,
              "x has an element " + std::to_string(index) + " on a member whose rows are " +
                  std::to_string(count) + " from " + std::to_string(first) + " on" +
                  describe_place(where),
              "each member has the elements of its own rows: cut.owner(index)");
}

void check_columns(const char* call, std::size_t columns, const site& where) {
  if (columns <= std::numeric_limits<column_t>::max()) return;
  throw error(call, std::to_string(columns) + " columns are too many" + describe_place(where),
              "columns have 32 bits");
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
                    const site& where, const char* like) {
  if (one == other) return;
  throw error(call,
              std::string(what) + " is not cut into the rows of members as " + like + " is" +
                  describe_place(where),
              std::string("make it with the cut of ") + like);
}

}  // namespace acre::detail
