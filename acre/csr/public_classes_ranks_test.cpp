// SPDX-License-Identifier: BSD-3-Clause
// Default construction and moves of public classes (tests/misuse).
#include <acre/acre.hpp>
#include <acre/arrays.hpp>
#include <acre/container/every_container_test.hpp>
#include <acre/objects.hpp>
#include <acre/sparse.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

template <class T>
struct holder {
  T member;
  holder() : member() {}
  explicit holder(T&& made) : member(std::move(made)) {}
};
template <class T>
struct aggregate {
  int before = 1;
  T member;
  int after = 2;
};

template <class T>
void default_objects() {
  T empty;
  T copy_of_temporary = T();
  T braced{};
  T moved(std::move(empty));
  if constexpr (std::is_move_assignable_v<T>) {
    moved = std::move(copy_of_temporary);
    moved = T();
    T& same = moved;
    moved = std::move(same);
    std::swap(moved, braced);
    using std::swap;
    swap(moved, braced);
  }
  holder<T> held;
  aggregate<T> part{};
  const aggregate<T> other(std::move(part));
  EXPECT_EQ(other.before + other.after, 3);
  std::vector<T> several(2);
  several.emplace_back();
}

template <class First, class Second, class... More>
void default_objects() {
  default_objects<First>();
  default_objects<Second>();
  (default_objects<More>(), ...);
}

template <class T, class IsWhole>
void moves(T made, const IsWhole& is_whole) {
  T moved(std::move(made));
  EXPECT_TRUE(is_whole(moved));
  if constexpr (std::is_move_assignable_v<T>) {
    T& same = moved;
    moved = std::move(same);
    EXPECT_TRUE(is_whole(moved)) << "after a move onto itself";
  }
  if constexpr (std::default_initializable<T> && std::is_move_assignable_v<T>) {
    T other;
    std::swap(moved, other);
    EXPECT_TRUE(is_whole(other)) << "after a swap";
    std::swap(other, other);
    EXPECT_TRUE(is_whole(other)) << "after a swap with itself";
    moved = std::move(other);
    EXPECT_TRUE(is_whole(moved));
    aggregate<T> part{};
    part.member = std::move(moved);
    aggregate<T> part_moved = std::move(part);
    EXPECT_TRUE(is_whole(part_moved.member));
    std::vector<T> several;
    several.push_back(std::move(part_moved.member));
    several.emplace_back();
    several.reserve(10);
    EXPECT_TRUE(is_whole(several.front()));
    moved = std::move(several.front());
  }
  holder<T> held(std::move(moved));
  EXPECT_TRUE(is_whole(held.member));
}

template <class T, class IsWhole>
void lives(T made, const IsWhole& is_whole) {
  SCOPED_TRACE(testing::internal::GetTypeName<T>());
  static_assert(std::is_nothrow_move_constructible_v<T>, "vectors move their elements");
  if constexpr (std::default_initializable<T>) default_objects<T>();
  moves(std::move(made), is_whole);
}
template <class T>
void lives(T made) {
  lives(std::move(made), [](const T& object) { return static_cast<bool>(object); });
}

constexpr auto has_ten = [](const auto& object) { return object.size() == 10; };

TEST(PublicClasses, OfGlobalMemoryAreMadeByDefaultAndMove) {
  const acre::team& all = acre::world();
  lives(acre::team(all));
  lives(acre::event(all));
  lives(acre::pairwise_barrier(all));
  lives(acre::symmetric_array<int>(all, 10), has_ten);
  lives(acre::dist_object<int>(all, 10), [](const auto& object) { return *object == 10; });
  lives(acre::team_memory(all, 64, 64, "test"));
  lives(acre::make_ready_future(10), [](const auto& f) { return f.is_ready(); });
  lives(acre::counting_promise(), [](const acre::counting_promise&) { return true; });
  default_objects<acre::promise<int>>();
  default_objects<acre::promise<>>();
  default_objects<acre::shared_future<int>>();
  default_objects<acre::shared_future<>>();
  default_objects<acre::future<std::vector<std::string>>>();
  default_objects<acre::global_ptr<const double>>();
  default_objects<acre::global_span<double>>();
  default_objects<acre::global_box<double, 3>>();
  default_objects<acre::box_span<const double, 3>>();
  default_objects<acre::when_any_result<int>, acre::message_view<int>>();
}

TEST(PublicClasses, OfContainersAreMadeByDefaultAndMove) {
  const acre::team& all = acre::world();
  const auto is_whole = []<class Container>(const Container& made) {
    if constexpr (std::is_constructible_v<bool, const Container&>)
      return static_cast<bool>(made);
    else
      return made.size() == 100;
  };
  acre::container::for_each_container(
      [&](const auto& each) { lives(each.template make<int>(all), is_whole); });
  lives(acre::hash_map<int, std::string>(all, 10));
  lives(acre::circular_queue<std::string>(all, {}, 10));
  default_objects<acre::hash<int>, acre::equal_by_operator, acre::hosted_by>();
}

TEST(PublicClasses, OfArraysAreMadeByDefaultAndMove) {
  const acre::team& all = acre::world();
  lives(acre::array<int>(all, 10), has_ten);
  lives(acre::hosted_array<int>(all, {}, 10), has_ten);
  lives(acre::matrix<int, 2>(all, {5, 2}), has_ten);
  const auto cyclic = acre::make_distribution({10}, all.size(), acre::dist::cyclic);
  lives(acre::make_matrix<int>(all, cyclic), has_ten);
  lives(acre::halo_matrix<int, 2>(all, {5, 2}, 1), has_ten);
  lives(acre::coarray<int>(all));
  lives(acre::coarray<int[4][2]>(all));
  lives(acre::coarray<int[]>(all, 10));
  acre::list<int> list(all);
  if (all.rank() == 0) {
    for (int i = 0; i < 10; ++i) list.push_back(i);
  }
  list.commit();
  lives(std::move(list), has_ten);
  lives(acre::ragged_array<int>(all, std::vector<std::size_t>(all.rank() == 0 ? 5 : 0, 2)),
        has_ten);
  lives(acre::shared<int>(all));
  lives(acre::shared_counter(all));
  acre::halo_matrix<int, 2> m(all, {8, 8}, 1);
  lives(acre::halo<int, 2>(m), [](const auto& h) { return h.widths().before[0] == 1; });
  default_objects<acre::matrix_view<int, 2, acre::layout::boxes<2>>>();
  default_objects<acre::matrix_view<const int, 2, acre::layout::boxes<2>>>();
  default_objects<acre::halo_edges<int, 2>>();
  default_objects<acre::halo_options<int, 2>>();
  default_objects<acre::halo_edge<int, 2>, acre::halo_edge_pair<int, 2>>();
  default_objects<acre::matrix_block<int, 2, acre::layout::boxes<2>>>();
  default_objects<acre::layout::boxes<2>, acre::layout::blocked, acre::layout::hosted,
                  acre::layout::box<2>, acre::team_spec<2>>();
  default_objects<acre::sequential_policy, acre::parallel_policy, acre::plain_product,
                  acre::product_options, acre::product_report>();
}

struct cell {
  int value = 0;
  friend auto acre_fields(cell& c) { return std::tie(c.value); }
};

TEST(PublicClasses, OfObjectsAreMadeByDefaultAndMove) {
  lives(acre::make_collection<cell>(10), has_ten);
  lives(acre::create_here<cell>());
  default_objects<acre::object_ref<cell>>();
  default_objects<acre::object_id<cell>>();
  default_objects<acre::collection_id<cell>>();
  default_objects<acre::gid>();
  default_objects<acre::imbalance_watch>();
  default_objects<acre::load_meter>();
  default_objects<acre::local_member<cell>, acre::agas_counter_name, acre::agas_counter_value>();
  default_objects<acre::no_balancer, acre::greedy_balancer, acre::curve_balancer,
                  acre::diffusion_balancer, acre::tolerant_balancer<acre::greedy_balancer>,
                  acre::ordered_balancer<acre::curve_balancer>>();
  default_objects<acre::weighed_object, acre::object_load<cell>, acre::balance_decision,
                  acre::balance_report>();
  acre::barrier();
}

template <class T>
void sparse_matrices(const acre::team& all) {
  lives(acre::csr_builder<T>(all, 10, 10).finish(), [](const auto& m) { return m.rows() == 10; });
  lives(acre::tiled_csr_builder<T>(all, 10, 10).finish(),
        [](const auto& m) { return m.rows() == 10; });
  const auto rows = acre::row_cut::equal(10, all.size());
  lives(acre::dense_vector<T>(all, rows), has_ten);
  lives(acre::dense_rows<T>(all, rows, 3), [](const auto& m) { return m.rows() == 10; });
}
template <class T>
void block_matrices(const acre::team& all) {
  const auto sizes = acre::block_sizes::equal(4, 3);
  lives(acre::block_matrix<T>(all, {sizes, sizes, all.size()}));
}

TEST(PublicClasses, OfSparseMatricesAreMadeByDefaultAndMove) {
  const acre::team& all = acre::world();
  sparse_matrices<double>(all);
  block_matrices<float>(all);
  block_matrices<double>(all);
  block_matrices<std::complex<float>>(all);
  block_matrices<std::complex<double>>(all);
  default_objects<acre::block_distribution>();
  default_objects<acre::block_owners>();
  default_objects<acre::block_sizes>();
  default_objects<acre::member_grid>();
  default_objects<acre::row_cut>();
  default_objects<acre::tile_cut>();
  default_objects<acre::sparse_vector<double>>();
  default_objects<acre::multiply_report>();
  default_objects<acre::multiply_options>();
  default_objects<acre::csr_rows<double>, acre::csr_part<double>, acre::csr_tile<double>>();
  default_objects<acre::block_interval, acre::no_mask, acre::all_rows, acre::masked_rows<double>>();
}

}  // namespace
