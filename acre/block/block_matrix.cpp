// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/block_matrix.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/block/block_values.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/layout/extents_text.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace acre {

namespace {

using block_matrices::block_entry;
using block_matrices::staged_block;
using block_matrices::staging;

constexpr std::uint64_t most_elements = std::numeric_limits<std::uint32_t>::max();

std::string block_name(std::size_t row, std::size_t column) {
  return "block (" + std::to_string(row) + ", " + std::to_string(column) + ")";
}

void check_inside(const char* call, const block_distribution& lies, std::size_t row,
                  std::size_t column, const site& where) {
  if (row < lies.rows().blocks() && column < lies.columns().blocks()) return;
  throw error(call,
              block_name(row, column) + " does not exist in a matrix of " +
                  std::to_string(lies.rows().blocks()) + " x " +
                  std::to_string(lies.columns().blocks()) + " blocks" + describe_place(where),
              "blocks are numbered from 0");
}

void check_elements(const char* call, const block_distribution& lies, std::size_t row,
                    std::size_t column, std::size_t elements, const site& where) {
  const std::size_t rows = lies.rows().size_of(row);
  const std::size_t columns = lies.columns().size_of(column);
  if (rows * columns == elements) return;
  throw error(call,
              block_name(row, column) + " has " + std::to_string(rows) + " x " +
                  std::to_string(columns) + " = " + std::to_string(rows * columns) +
                  " elements, not " + std::to_string(elements) + describe_place(where),
              "pass all elements of the block, by columns");
}

std::uint64_t shape_of(const block_distribution& lies, block_symmetry symmetry) {
  std::uint64_t hash = 1469598103934665603ULL;
  const auto mix = [&hash](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
  for (const block_sizes* each : {&lies.rows(), &lies.columns()}) {
    mix(each->blocks());
    for (const std::uint32_t size : each->sizes()) mix(size);
  }
  for (const block_owners* each : {&lies.row_owners(), &lies.column_owners()}) {
    for (const rank_t owner : each->all()) mix(owner);
  }
  mix(lies.grid().rows);
  mix(lies.grid().columns);
  mix(static_cast<std::uint64_t>(symmetry));
  return hash;
}

void check_matrix(const team& members, const block_distribution& lies, block_symmetry symmetry,
                  const std::type_info& element, const site& where) {
  const auto hash = mix_bits(shape_of(lies, symmetry) + global::number_of(element));
  const std::vector<std::uint64_t> all = members.allgather(hash, where);
  if (std::ranges::any_of(all, [&](std::uint64_t each) { return each != all.front(); })) {
    throw error("block_matrix", "the members construct different matrices" + describe_place(where),
                "use the same element type, blocks, distribution and symmetry on all members");
  }
  if (lies.grid().size() != members.size()) {
    throw error("block_matrix",
                "a grid of " + layout::extents_text(lies.grid()) + " does not match a team of " +
                    std::to_string(members.size()) + describe_place(where),
                "use block_distribution{rows, columns, team.size()}");
  }
  if (std::uint64_t{lies.rows().largest()} * lies.columns().largest() > most_elements) {
    throw error("block_matrix",
                "a block of " + std::to_string(lies.rows().largest()) + " x " +
                    std::to_string(lies.columns().largest()) + " has more than 2^32 - 1 elements" +
                    describe_place(where),
                "cut rows and columns into smaller blocks");
  }
  if (symmetry != block_symmetry::none && !(lies.rows() == lies.columns())) {
    throw error("block_matrix",
                "a matrix with a symmetry has different rows and columns" + describe_place(where),
                "use the same block_sizes for both");
  }
}

template <class T>
struct arrival {
  staged_block block;
  std::size_t number;  ///< by member, then call order
  const T* values;
};

template <class T>
std::vector<arrival<T>> sorted_arrivals(const std::vector<global::owned_bytes>& parcels) {
  std::vector<arrival<T>> all;
  for (const global::owned_bytes& each : parcels) {
    const block_matrices::staged_parcel<T> parcel(each);
    const T* values = parcel.values();
    all.reserve(all.size() + parcel.blocks().size());
    for (const staged_block& block : parcel.blocks()) {
      all.push_back({block, all.size(), values});
      values += block.elements;
    }
  }
  std::ranges::sort(all, {}, [](const arrival<T>& each) {
    return std::tuple(each.block.row, each.block.column, each.number);
  });
  return all;
}

template <class T>
class block_merger {
 public:
  block_merger(std::span<const block_entry> old, const T* old_data,
               const typename block_matrix<T>::share_of_old& counts,
               const std::vector<arrival<T>>& arrivals, const block_distribution& lies)
      : old_(old), old_data_(old_data), counts_(counts), arrivals_(arrivals), lies_(lies) {}

  void run() {
    walk([this](const name& block, const std::optional<T>&, std::size_t, std::size_t, std::size_t) {
      entries_.push_back({block.first, block.second, 0, elements_});
      elements_ += size_of(block);
    });
    data = global::segment_block(elements_ * sizeof(T));
    index = global::segment_block(entries_.size() * sizeof(block_entry));
    block_entry* next = entries_.data();
    walk([&](const name& block, const std::optional<T>& share, std::size_t old, std::size_t first,
             std::size_t last) {
      const std::size_t size = size_of(block);
      T* const to = data.as<T>() + next->offset;
      if (share) {
        take_old(old_data_ + old_[old].offset, *share, to, size);
      } else {
        std::fill_n(to, size, T{});
      }
      combine(first, last, to, size);
      next->norm = block_matrices::norm_of(to, size);
      ++next;
    });
    std::ranges::copy(entries_, index.as<block_entry>());
  }

  global::segment_block index;
  global::segment_block data;
  [[nodiscard]] std::size_t blocks() const noexcept { return entries_.size(); }
  [[nodiscard]] std::size_t elements() const noexcept { return elements_; }

 private:
  using name = std::pair<std::uint32_t, std::uint32_t>;
  static constexpr name behind{~0U, ~0U};
  static name name_of(const arrival<T>& each) { return {each.block.row, each.block.column}; }

  [[nodiscard]] std::size_t size_of(const name& block) const {
    return std::size_t{lies_.rows().size_of(block.first)} * lies_.columns().size_of(block.second);
  }

  /// Calls f(name, old factor or null, old number, arrivals) by rows.
  template <class F>
  void walk(F&& f) const {
    std::size_t i = 0;
    std::size_t first = 0;
    while (i < old_.size() || first < arrivals_.size()) {
      const name of_old = i < old_.size() ? name(old_[i].row, old_[i].column) : behind;
      const name of_new = first < arrivals_.size() ? name_of(arrivals_[first]) : behind;
      const name which = std::min(of_old, of_new);
      std::size_t last = first;
      while (last < arrivals_.size() && name_of(arrivals_[last]) == which) ++last;
      std::optional<T> share;
      if (of_old == which) {
        share = counts_ ? counts_(which.first, which.second) : T{1};
      }
      if (share || last != first) f(which, share, i, first, last);
      if (of_old == which) ++i;
      first = last;
    }
  }
  static void take_old(const T* old, const T& share, T* to, std::size_t size) {
    if (share == T{1}) {
      std::copy_n(old, size, to);
    } else if (share == T{}) {
      std::fill_n(to, size, T{});
    } else {
      std::transform(old, old + size, to, [&](const T& each) { return share * each; });
    }
  }
  void combine(std::size_t first, std::size_t last, T* to, std::size_t size) const {
    for (std::size_t i = first; i < last; ++i) {
      const T* const from = arrivals_[i].values;
      if (arrivals_[i].block.how == staging::put) {
        std::copy_n(from, size, to);
      } else {
        for (std::size_t e = 0; e < size; ++e) to[e] += from[e];
      }
    }
  }

  std::span<const block_entry> old_;
  const T* old_data_;
  const typename block_matrix<T>::share_of_old& counts_;
  const std::vector<arrival<T>>& arrivals_;
  const block_distribution& lies_;
  std::vector<block_entry> entries_;
  std::size_t elements_ = 0;
};

const block_entry* find(std::span<const block_entry> index, std::size_t row, std::size_t column) {
  const auto found = std::ranges::lower_bound(
      index, std::pair<std::size_t, std::size_t>(row, column), {}, [](const block_entry& each) {
        return std::pair<std::size_t, std::size_t>(each.row, each.column);
      });
  return found != index.end() && found->row == row && found->column == column ? &*found : nullptr;
}

}  // namespace

template <block_element T>
struct block_matrix<T>::state {
  state(const team& members, const block_distribution& where_blocks_lie, block_symmetry of,
        const site& where)
      : lies(where_blocks_lie), symmetry(of), store(members, sizeof(T), where) {}

  block_distribution lies;
  block_symmetry symmetry;
  block_matrices::block_store store;
  block_matrices::staged_blocks<T> staged;
};

template <block_element T>
block_matrix<T>::block_matrix() noexcept = default;
template <block_element T>
block_matrix<T>::block_matrix(const team& members, const block_distribution& lies,
                              block_symmetry symmetry, const site& where) {
  check_matrix(members, lies, symmetry, typeid(T), where);
  held_ = std::make_unique<state>(members, lies, symmetry, where);
}

template <block_element T>
block_matrix<T>::block_matrix(block_matrix&&) noexcept = default;
template <block_element T>
block_matrix<T>& block_matrix<T>::operator=(block_matrix&&) noexcept = default;
template <block_element T>
block_matrix<T>::~block_matrix() = default;

template <block_element T>
typename block_matrix<T>::state& block_matrix<T>::get() const {
  return global::require_object(held_.get(), "block_matrix", "block_matrix",
                                "block_matrix{team, distribution}");
}

template <block_element T>
const team& block_matrix<T>::members() const {
  return get().store.members();
}
template <block_element T>
const block_distribution& block_matrix<T>::distribution() const {
  return get().lies;
}
template <block_element T>
block_symmetry block_matrix<T>::symmetry() const {
  return get().symmetry;
}
template <block_element T>
block_matrices::block_store& block_matrix<T>::store() {
  return get().store;
}
template <block_element T>
const block_matrices::block_store& block_matrix<T>::store() const {
  return get().store;
}
template <block_element T>
std::span<block_entry> block_matrix<T>::index() const {
  return get().store.index();
}
template <block_element T>
box_span<T, 2> block_matrix<T>::span_of(const block_entry& entry) const {
  const std::size_t rows = get().lies.rows().size_of(entry.row);
  const std::size_t columns = get().lies.columns().size_of(entry.column);
  return {reinterpret_cast<T*>(get().store.data()) + entry.offset, {rows, columns}, {1, rows}};
}

template <block_element T>
void block_matrix<T>::put_block(std::size_t row, std::size_t column, std::span<const T> values,
                                const site& where) {
  stage(staging::put, row, column, values, "block_matrix::put_block", where);
}
template <block_element T>
void block_matrix<T>::add_block(std::size_t row, std::size_t column, std::span<const T> values,
                                const site& where) {
  stage(staging::add, row, column, values, "block_matrix::add_block", where);
}

template <block_element T>
void block_matrix<T>::stage(staging how, std::size_t row, std::size_t column,
                            std::span<const T> values, const char* call, const site& where) {
  state& held = get();
  check_inside(call, held.lies, row, column, where);
  check_elements(call, held.lies, row, column, values.size(), where);
  const bool is_mirrored = !is_stored(held.symmetry, row, column);
  const auto i = static_cast<std::uint32_t>(is_mirrored ? column : row);
  const auto j = static_cast<std::uint32_t>(is_mirrored ? row : column);
  const staged_block block{i, j, how, static_cast<std::uint32_t>(values.size())};
  const rank_t owner = held.lies.owner(i, j);
  if (is_mirrored) {
    block_matrices::mirror(values.data(), held.lies.rows().size_of(row),
                           held.lies.columns().size_of(column), held.staged.add(owner, block),
                           held.symmetry);
  } else {
    held.staged.add(owner, block, values);
  }
}

template <block_element T>
void block_matrix<T>::finalise(const site& where) {
  finalise(share_of_old(), where);
}

template <block_element T>
void block_matrix<T>::finalise(const share_of_old& counts, const site& where) {
  state& held = get();
  const team& all = members();
  global::require_same_object(all, "block_matrix::finalise", held.store.identity(), where);
  const auto together = [&](auto&& act) {
    global::succeed_together(all, "block_matrix::finalise", where, act);
  };
  std::vector<global::owned_bytes> parcels;
  together([&] { parcels = held.staged.take(all.size()); });
  std::vector<arrival<T>> arrivals;
  block_merger<T> merged(held.store.index(), reinterpret_cast<const T*>(held.store.data()), counts,
                         arrivals, held.lies);
  together([&] {
    parcels = all.alltoallv(std::move(parcels), where);
    arrivals = sorted_arrivals<T>(parcels);
    if (!arrivals.empty() || counts) merged.run();
  });
  if (!arrivals.empty() || counts) {
    held.store.become(std::move(merged.index), merged.blocks(), std::move(merged.data),
                      merged.elements());
  }
  all.barrier(where);
}

template <block_element T>
bool block_matrix<T>::has_staged() const {
  return !get().staged.empty();
}
template <block_element T>
void block_matrix<T>::drop_staged() {
  get().staged.clear();
}

template <block_element T>
void block_matrix<T>::clear(const site& where) {
  global::require_same_object(members(), "block_matrix::clear", store().identity(), where);
  state& held = get();
  members().barrier(where);
  held.staged.clear();
  held.store.clear();
  members().barrier(where);
}

template <block_element T>
std::optional<std::vector<T>> block_matrix<T>::get_block(std::size_t row, std::size_t column,
                                                         const site& where) const {
  const state& held = get();
  check_inside("block_matrix::get_block", held.lies, row, column, where);
  const bool is_mirrored = !is_stored(held.symmetry, row, column);
  const std::size_t i = is_mirrored ? column : row;
  const std::size_t j = is_mirrored ? row : column;
  const rank_t owner = held.lies.owner(i, j);
  const block_matrices::blocks_of_others theirs(held.store, std::span(&owner, 1), where);
  const auto& part = theirs.parts().front();
  const block_entry* const found = find(part.index, i, j);
  if (found == nullptr) return std::nullopt;
  std::vector<T> values(std::size_t{held.lies.rows().size_of(i)} * held.lies.columns().size_of(j));
  acre::get(global_ptr<const T>::from_bits(part.data) + static_cast<std::ptrdiff_t>(found->offset),
            std::span(values), where);
  if (!is_mirrored) return values;
  std::vector<T> other(values.size());
  block_matrices::mirror(values.data(), held.lies.rows().size_of(i), held.lies.columns().size_of(j),
                         other.data(), held.symmetry);
  return other;
}

template <block_element T>
void block_matrix<T>::note_changes() {
  for (block_entry& each : index()) {
    const auto block = span_of(each);
    each.norm = block_matrices::norm_of(block.data(), block.size());
  }
}

template class block_matrix<float>;
template class block_matrix<double>;
template class block_matrix<std::complex<float>>;
template class block_matrix<std::complex<double>>;

}  // namespace acre
