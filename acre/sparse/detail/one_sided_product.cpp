#include <acre/global/succeed_together.hpp>
#include <acre/sparse/detail/block_values.hpp>
#include <acre/sparse/detail/one_sided_product.hpp>
#include <acre/sparse/detail/part_product.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace acre::detail {

namespace {

std::vector<std::uint32_t> blocks_of(const block_owners& owners, rank_t first, rank_t parts,
                                 const block_interval& within) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < owners.all().size(); ++i) {
    if (owners[i] - first < parts && within.contains(i)) {
      found.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return found;
}

/// Whether all members are on this node.
bool are_near(const team& members) {
  for (rank_t i = 0; i < members.size(); ++i) {
    if (!node().contains(members.world_rank(i))) return false;
  }
  return true;
}

/// In the order of the rows of b's grid, this member's own first where it has to read others': so
/// not all begin with the same one. Ascending, in one order for all, where all are near.
template <class T>
void order_by_owner(std::vector<std::uint32_t>& inner, const block_matrix<T>& b, rank_t own) {
  if (are_near(b.members())) return;
  const block_owners& owners = b.distribution().row_owners();
  const rank_t rows = b.distribution().grid().rows;
  std::ranges::sort(inner, {}, [&](std::uint32_t each) {
    return std::pair((owners[each] + rows - own % rows) % rows, each);
  });
}

/// The i-th of so many shares of the inner blocks, of as many elements as can be.
std::vector<std::uint32_t> share_of(const std::vector<std::uint32_t>& inner,
                                    const block_sizes& sizes, std::size_t i, std::size_t shares) {
  std::size_t all = 0;
  for (const std::uint32_t each : inner) all += sizes.size_of(each);
  std::vector<std::uint32_t> mine;
  std::size_t before = 0;
  for (const std::uint32_t each : inner) {
    if (before * shares / std::max<std::size_t>(all, 1) == i) mine.push_back(each);
    before += sizes.size_of(each);
  }
  return mine;
}

}  // namespace

template <class T>
product_part product_call<T>::part_of(const block_matrix<T>& c, const layer_cell& cell) const {
  const block_distribution& lies = c.distribution();
  const rank_t row = lies.grid().row_of(c.members().rank());
  const rank_t column = lies.grid().column_of(c.members().rank());
  const std::size_t layer = row % cell.rows * cell.columns + column % cell.columns;
  auto inner = share_of(blocks_of(b.distribution().row_owners(), 0, b.distribution().grid().rows,
                                  options.inner),
                        b.rows(), layer, cell.layers());
  order_by_owner(inner, b, row);
  return {.rows = blocks_of(lies.row_owners(), row / cell.rows * cell.rows, cell.rows, options.rows),
          .columns = blocks_of(lies.column_owners(), column / cell.columns * cell.columns,
                               cell.columns, options.columns),
          .inner = std::move(inner)};
}

namespace {

/// Blocks of c that are there, as a pattern of a part.
template <class T>
product_pattern blocks_there(std::span<const block_entry> index, const product_part& part,
                             const block_matrix<T>& c) {
  const block_numbers rows(part.rows, c.rows().blocks());
  const block_numbers columns(part.columns, c.columns().blocks());
  product_pattern found;
  std::size_t row = 0;
  for (const block_entry& each : index) {
    if (rows[each.row] == block_numbers::none || columns[each.column] == block_numbers::none) {
      continue;
    }
    for (; row < rows[each.row]; ++row) found.starts.push_back(found.columns.size());
    found.columns.push_back(columns[each.column]);
  }
  while (found.starts.size() <= part.rows.size()) found.starts.push_back(found.columns.size());
  return found;
}

std::size_t room_for_others(const multiply_options& options) {
  return options.memory != 0 ? options.memory : runtime::segment_free().private_part / 4;
}

/// What becomes of a member's own blocks of c.
template <class T>
class own_blocks {
 public:
  own_blocks(T alpha, T beta, block_matrix<T>& c, const multiply_options& options,
             const product_part& part)
      : alpha_(alpha), beta_(beta), c_(c), options_(options), part_(part) {}

  [[nodiscard]] bool is_new() const noexcept { return beta_ == T{} && !options_.keep_pattern; }

  /// Those of c that the part has, by the numbers of the pattern.
  void find_old(const product_pattern& pattern) {
    norms_.resize(pattern.columns.size());
    if (beta_ == T{}) return;
    old_.resize(pattern.columns.size());
    const std::span<const block_entry> index = c_.store().index();
    std::size_t next = 0;
    for (std::size_t row = 0; row < part_.rows.size(); ++row) {
      for (std::size_t i = pattern.starts[row]; i < pattern.starts[row + 1]; ++i) {
        const std::pair at(part_.rows[row], part_.columns[pattern.columns[i]]);
        while (next < index.size() && std::pair(index[next].row, index[next].column) < at) ++next;
        if (next < index.size() && std::pair(index[next].row, index[next].column) == at) {
          old_[i] = reinterpret_cast<const T*>(c_.store().data()) + index[next].offset;
        }
      }
    }
  }

  /// alpha times the products, and beta times what was there.
  void finish(std::size_t i, T* block, std::size_t elements) {
    if (alpha_ != T{1}) {
      for (std::size_t e = 0; e < elements; ++e) block[e] *= alpha_;
    }
    if (!old_.empty() && old_[i] != nullptr) {
      const T* const old = old_[i];
      for (std::size_t e = 0; e < elements; ++e) block[e] += beta_ * old[e];
    }
    norms_[i] = norm_of(block, elements);
  }

  /// Takes the place of what c had here.
  void become(const product_pattern& pattern, segment_block data) {
    std::vector<block_entry> index;
    index.reserve(pattern.columns.size());
    T* const elements = data.template as<T>();
    std::size_t kept = 0;
    for (std::size_t row = 0; row < part_.rows.size(); ++row) {
      for (std::size_t i = pattern.starts[row]; i < pattern.starts[row + 1]; ++i) {
        if (norms_[i] < options_.filter) continue;
        const std::size_t size = pattern.offsets[i + 1] - pattern.offsets[i];
        if (kept != pattern.offsets[i]) {
          std::copy_n(elements + pattern.offsets[i], size, elements + kept);
        }
        index.push_back({part_.rows[row], part_.columns[pattern.columns[i]], norms_[i], kept});
        kept += size;
      }
    }
    c_.store().become(index, std::move(data));
  }

 private:
  T alpha_;
  T beta_;
  block_matrix<T>& c_;
  const multiply_options& options_;
  const product_part& part_;
  std::vector<const T*> old_;
  std::vector<double> norms_;
};

template <class T>
void note(const part_product<T>& product, multiply_report& report) {
  report.products += product.products();
  report.operations += product.operations();
  report.bytes_read += product.bytes_read();
}

template <class T>
auto wanted_blocks(const block_matrix<T>& c) {
  return [upper = c.symmetry() != block_symmetry::none](std::uint32_t row, std::uint32_t column) {
    return !upper || row <= column;
  };
}

/// Each member makes its own blocks.
template <class T>
void make_own_blocks(const product_call<T>& call, block_matrix<T>& c, multiply_report& report) {
  const product_part part = call.part_of(c, {});
  own_blocks<T> own(call.alpha, call.beta, c, call.options, part);
  segment_block data;
  product_pattern pattern;
  succeed_together(c.members(), "multiply", call.where, [&] {
    product_pattern there;
    if (!own.is_new()) there = blocks_there(c.store().index(), part, c);
    part_product<T> product(call.a, call.b, part, call.options.filter, there,
                            call.options.keep_pattern, wanted_blocks(c), call.where);
    own.find_old(product.pattern());
    data = product.run(room_for_others(call.options),
                       [&](std::size_t, std::uint32_t, std::size_t i, T* block,
                           std::size_t elements) { own.finish(i, block, elements); });
    pattern = product.pattern();
    note(product, report);
  });
  own.become(pattern, std::move(data));
}

/// The blocks of c that the members of a cell hold.
template <class T>
product_pattern blocks_of_cell(const block_matrix<T>& c, const product_part& part,
                               const layer_cell& cell, const site& where) {
  const member_grid& grid = c.distribution().grid();
  const rank_t me = c.members().rank();
  const rank_t row = grid.row_of(me) / cell.rows * cell.rows;
  const rank_t column = grid.column_of(me) / cell.columns * cell.columns;
  std::vector<rank_t> members;
  for (rank_t i = 0; i < cell.rows; ++i) {
    for (rank_t j = 0; j < cell.columns; ++j) members.push_back(grid.member(row + i, column + j));
  }
  const blocks_of_others theirs(c.store(), members, where);
  std::vector<block_entry> all;
  for (const auto& each : theirs.parts()) all.insert(all.end(), each.index.begin(), each.index.end());
  std::ranges::sort(all, {}, [](const block_entry& each) { return std::pair(each.row, each.column); });
  return blocks_there(std::span<const block_entry>(all), part, c);
}

/// What c keeps of its own blocks before shares of products are added: beta of them.
template <class T>
void begin_sums(const product_call<T>& call, block_matrix<T>& c) {
  const multiply_options& options = call.options;
  const auto is_inside = [&](std::size_t row, std::size_t column) {
    return options.rows.contains(row) && options.columns.contains(column);
  };
  if (call.beta == T{} && !options.keep_pattern) {
    c.store().leave_out([&](const block_entry& each) { return is_inside(each.row, each.column); });
    return;
  }
  c.each_local_block([&](std::size_t row, std::size_t column, const box_span<T, 2>& block) {
    if (!is_inside(row, column)) return;
    for (T& each : std::span(block.data(), block.size())) {
      each = call.beta == T{} ? T{} : call.beta * each;
    }
  });
}

/// Members of a cell share the products of the blocks of all of them, and give each owner its.
template <class T>
void make_shares(const product_call<T>& call, block_matrix<T>& c, const layer_cell& cell,
                 multiply_report& report) {
  const product_part part = call.part_of(c, cell);
  segment_block data;
  product_pattern pattern;
  succeed_together(c.members(), "multiply", call.where, [&] {
    product_pattern there;
    if (call.options.keep_pattern) {
      there = blocks_of_cell(c, part, cell, call.where);
    } else {
      there.starts.assign(part.rows.size() + 1, 0);
    }
    part_product<T> product(call.a, call.b, part, call.options.filter, there,
                            call.options.keep_pattern, wanted_blocks(c), call.where);
    data = product.run(room_for_others(call.options), [](auto&&...) {});
    pattern = product.pattern();
    note(product, report);
  });
  begin_sums(call, c);
  T* const elements = data.template as<T>();
  for (std::size_t row = 0; row < part.rows.size(); ++row) {
    for (std::size_t i = pattern.starts[row]; i < pattern.starts[row + 1]; ++i) {
      const std::span<T> block(elements + pattern.offsets[i],
                               pattern.offsets[i + 1] - pattern.offsets[i]);
      for (T& each : block) each *= call.alpha;
      const std::uint32_t column = part.columns[pattern.columns[i]];
      if (c.distribution().owner(part.rows[row], column) != c.members().rank()) {
        report.bytes_sent += block.size_bytes();
      }
      c.add_block(part.rows[row], column, block, call.where);
    }
  }
  c.finalise(call.where);
  c.note_changes();
  if (call.options.filter > 0) {
    c.store().leave_out([&](const block_entry& each) {
      return call.options.rows.contains(each.row) && call.options.columns.contains(each.column) &&
             each.norm < call.options.filter;
    });
  }
}

}  // namespace

layer_cell cell_of(const member_grid& grid, std::size_t layers) noexcept {
  layer_cell best;
  const auto side = [](const layer_cell& each) { return each.rows + each.columns; };
  for (rank_t rows = 1; rows <= grid.rows; ++rows) {
    for (rank_t columns = 1; columns <= grid.columns; ++columns) {
      if (grid.rows % rows != 0 || grid.columns % columns != 0) continue;
      const layer_cell cell{rows, columns};
      if (cell.layers() > layers || cell.layers() < best.layers()) continue;
      if (cell.layers() > best.layers() || side(cell) < side(best)) best = cell;
    }
  }
  return best;
}

template <class T>
void one_sided_product(const product_call<T>& call, block_matrix<T>& c, const layer_cell& cell,
                       multiply_report& report) {
  const multiply_options& options = call.options;
  const bool is_whole = options.rows.first == 0 && options.columns.first == 0 &&
                        options.rows.last >= c.rows().blocks() &&
                        options.columns.last >= c.columns().blocks();
  if (is_whole && cell.layers() == 1) {
    make_own_blocks(call, c, report);
  } else {
    make_shares(call, c, cell, report);
  }
}

template void one_sided_product<float>(const product_call<float>&, block_matrix<float>&,
                                       const layer_cell&, multiply_report&);
template void one_sided_product<double>(const product_call<double>&, block_matrix<double>&,
                                        const layer_cell&, multiply_report&);
template void one_sided_product<std::complex<float>>(const product_call<std::complex<float>>&,
                                                     block_matrix<std::complex<float>>&,
                                                     const layer_cell&, multiply_report&);
template void one_sided_product<std::complex<double>>(const product_call<std::complex<double>>&,
                                                      block_matrix<std::complex<double>>&,
                                                      const layer_cell&, multiply_report&);

}  // namespace acre::detail
