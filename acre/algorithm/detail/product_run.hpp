// SPDX-License-Identifier: BSD-3-Clause
// Chooses the cheapest algorithm of a product, and runs it.
#pragma once

#include <acre/algorithm/detail/index_set.hpp>
#include <acre/algorithm/detail/product_member.hpp>
#include <acre/algorithm/detail/product_operand.hpp>
#include <acre/algorithm/detail/product_panel.hpp>
#include <acre/algorithm/detail/product_plan.hpp>
#include <acre/algorithm/detail/product_sums.hpp>
#include <acre/algorithm/product_report.hpp>
#include <acre/base/complex_number.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/layout/box.hpp>
#include <acre/runtime/world.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/global_box.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace acre::algorithm {

template <class T, class A, class B, class C, class Product>
class product_run {
  /// Blocks beyond which loads are estimated.
  static constexpr std::size_t most_counted = 4096;
  static constexpr double weight = base::is_complex<T> ? 4 : 1;
  static constexpr double float_rate =
      std::same_as<typename base::part_of_number<T>::type, float> ? 2 : 1;

 public:
  product_run(const T& alpha, const A& a, const B& b, const T& beta, const C& c, Product& product,
              const char* call, const site& where)
      : alpha_(alpha),
        beta_(beta),
        a_(a),
        b_(b),
        c_(c),
        product_(product),
        call_(call),
        where_(where),
        all_{c.extents()[0], a.extents()[1], c.extents()[1]} {}

  void plan(const product_options& options) {
    memory_ = options.memory;
    candidates_ = candidates_for(options);
    for (const product_candidate& each : candidates_) loads_.add(load_of(each), float_rate);
  }
  /// Collective, after plan().
  product_report run() {
    loads_.gather(c_.members(), where_);
    const product_report report = choose_way(candidates_, loads_, memory_);
    if (report.algorithm == product_algorithm::keeps_c) {
      c_.members().barrier(where_);
      global::succeed_together(c_.members(), call_, where_, [&] { make_own(); });
    } else {
      make_for_owners(report);
    }
    return report;
  }

 private:
  [[nodiscard]] std::vector<product_candidate> candidates_for(
      const product_options& options) const {
    std::vector<product_candidate> all{{.algorithm = product_algorithm::keeps_c}};
    if (c_.members().size() == 1) return all;
    if (are_in_team(a_)) all.push_back({.algorithm = product_algorithm::keeps_a});
    if (are_in_team(b_)) all.push_back({.algorithm = product_algorithm::keeps_b});
    const auto grids = best_grids(all_, c_.members().size());
    all.insert(all.end(), grids.begin(), grids.end());
    if (!options.algorithm) return all;
    std::vector<product_candidate> wanted;
    for (const product_candidate& each : all) {
      if (each.algorithm == *options.algorithm) wanted.push_back(each);
    }
    return wanted.empty() ? std::vector{all.front()} : wanted;
  }
  template <class Operand>
  [[nodiscard]] bool are_in_team(const Operand& of) const {
    for (rank_t member = 0; member < of.members().size(); ++member) {
      if (!c_.members().contains(of.members().world_rank(member))) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<brick> bricks_of(const product_candidate& chosen, rank_t member) const {
    const rank_t rank = c_.members().world_rank(member);
    switch (chosen.algorithm) {
      case product_algorithm::keeps_a:
        return tile_bricks(all_, chosen.algorithm, a_.boxes_of(rank));
      case product_algorithm::keeps_b:
        return tile_bricks(all_, chosen.algorithm, b_.boxes_of(rank));
      case product_algorithm::keeps_c:
        return tile_bricks(all_, chosen.algorithm, c_.boxes_of(rank));
      case product_algorithm::grid:
        break;
    }
    return grid_bricks(all_, chosen.grid, member);
  }
  [[nodiscard]] product_load load_of(const product_candidate& chosen) const {
    const std::vector<brick> bricks = bricks_of(chosen, c_.members().rank());
    product_load load;
    for (const brick& each : bricks) {
      load.operations += weight * each.operations();
      add_reads(a_, each.rows, each.inner, load);
      add_reads(b_, each.inner, each.columns, load);
    }
    if (chosen.algorithm == product_algorithm::keeps_c) return load;
    load.memory_bytes = sums_of(bricks) * sizeof(T);
    add_sums(chosen, load);
    return load;
  }
  template <class Operand>
  void add_reads(const Operand& of, const index_set& rows, const index_set& columns,
                 product_load& load) const {
    const std::size_t bytes = rows.size() * columns.size() * sizeof(T);
    load.read_bytes += bytes;
    if (of.blocks() > most_counted) {
      load.far_bytes += static_cast<std::size_t>(static_cast<double>(bytes) * far_share(of));
      return;
    }
    each_piece_in(of, rows, columns, [&](const auto&, const auto& piece) {
      if (!piece.data().is_local()) load.far_bytes += piece.size() * sizeof(T);
    });
  }
  template <class Operand>
  [[nodiscard]] static double far_share(const Operand& of) {
    const team& members = of.members();
    rank_t far = 0;
    for (rank_t member = 0; member < members.size(); ++member) {
      if (!is_mapped(members, member)) ++far;
    }
    return static_cast<double>(far) / members.size();
  }
  void add_sums(const product_candidate& chosen, product_load& load) const {
    const std::vector<layout::box<2>> own = c_.boxes_of(rank());
    for (rank_t member = 0; member < c_.members().size(); ++member) {
      const bool is_far = !is_mapped(c_.members(), member);
      const std::vector<brick> bricks = bricks_of(chosen, member);
      for (const layout::box<2>& each : own) {
        each_common_part(bricks, each, [&](std::size_t, const layout::box<2>& part, const auto&) {
          load.read_bytes += part.size() * sizeof(T);
          if (is_far) load.far_bytes += part.size() * sizeof(T);
        });
      }
    }
  }
  [[nodiscard]] static bool is_mapped(const team& members, rank_t member) {
    return runtime::node_of(members.world_rank(member)) == runtime::node_of(rank());
  }

  void make_own() {
    product_member<A, B, Product> member(a_, b_, alpha_, product_, where_);
    for (const brick& each :
         bricks_of({.algorithm = product_algorithm::keeps_c}, c_.members().rank())) {
      array_finder<T> finder;
      each_own_in(each, [&](const auto& at, const box_span<T, 2>& tile) { finder.add(at, tile); });
      if (const auto array = finder.find({each.rows.size(), each.columns.size()})) {
        member.multiply(each, beta_, *array);
      } else {
        make_beside(member, each);
      }
    }
  }
  /// Uses a buffer if tiles form no single array.
  void make_beside(product_member<A, B, Product>& member, const brick& of) {
    const base::plain_buffer<T> buffer(of.sums());
    const auto sums = dense_box(buffer.data(), {of.rows.size(), of.columns.size()}, C::is_by_rows);
    member.multiply(of, T(0), sums);
    each_own_in(of, [&](const auto& at, const box_span<T, 2>& tile) {
      scale(tile, beta_);
      add_box<T>(tile, sums.sub({.first = at, .extents = tile.extents()}), T(1));
    });
  }
  template <class F>
  void each_own_in(const brick& of, F&& f) const {
    each_piece_in(c_, of.rows, of.columns,
                  [&](const auto& at, const auto& piece) { f(at, piece.local()); });
  }

  void make_for_owners(const product_report& report) {
    const product_candidate chosen{report.algorithm, report.grid};
    const team& members = c_.members();
    members.barrier(where_);
    const team_memory sums(members, std::max(report.memory, sizeof(T)), 64, call_, where_);
    global::succeed_together(members, call_, where_,
                             [&] { make_sums(bricks_of(chosen, members.rank()), sums.mine()); });
    global::succeed_together(members, call_, where_, [&] { add_up(chosen, sums); });
  }
  void make_sums(const std::vector<brick>& bricks, std::byte* memory) {
    product_member<A, B, Product> member(a_, b_, alpha_, product_, where_);
    T* next = reinterpret_cast<T*>(memory);
    for (const brick& each : bricks) {
      member.multiply(each, T(0),
                      dense_box(next, {each.rows.size(), each.columns.size()}, C::is_by_rows));
      next += each.sums();
    }
  }
  void add_up(const product_candidate& chosen, const team_memory& sums) {
    std::vector<std::vector<brick>> all;
    all.reserve(c_.members().size());
    for (rank_t member = 0; member < c_.members().size(); ++member) {
      all.push_back(bricks_of(chosen, member));
    }
    sums_reader<T> reader(C::is_by_rows, where_);
    c_.each_own_piece([&](const layout::box<2>& where, const auto& piece) {
      const box_span<T, 2> tile = piece.local();
      scale(tile, beta_);
      sums_reader<T>::each_chunk(where, [&](const layout::box<2>& chunk) {
        for (rank_t member = 0; member < all.size(); ++member) {
          add_part(reader, all[member], sums.bits_of(member), where, chunk, tile);
        }
      });
    });
    reader.run();
  }
  static void add_part(sums_reader<T>& reader, const std::vector<brick>& bricks,
                       std::uint64_t memory, const layout::box<2>& where,
                       const layout::box<2>& chunk, const box_span<T, 2>& tile) {
    each_common_part(
        bricks, chunk,
        [&](std::size_t number, const layout::box<2>& part, const layout::coordinates<2>& at) {
          const brick& made = bricks[number];
          const std::size_t before = sums_of(std::span(bricks).first(number));
          const auto sums =
              dense_box<T>(nullptr, {made.rows.size(), made.columns.size()}, C::is_by_rows);
          const auto first =
              static_cast<std::ptrdiff_t>(before + at[0] * sums.stride(0) + at[1] * sums.stride(1));
          reader.add(
              tile.sub({.first = {part.first[0] - where.first[0], part.first[1] - where.first[1]},
                        .extents = part.extents}),
              {global_ptr<const T>::from_bits(memory) + first, part.extents, sums.strides()});
        });
  }

  const T& alpha_;
  const T& beta_;
  const A& a_;
  const B& b_;
  const C& c_;
  Product& product_;
  const char* call_;
  const site& where_;
  product_extents all_;
  std::size_t memory_ = 0;
  std::vector<product_candidate> candidates_;
  common_loads loads_;
};

}  // namespace acre::algorithm
