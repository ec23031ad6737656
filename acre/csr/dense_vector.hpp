// SPDX-License-Identifier: BSD-3-Clause
// Vector distributed as the rows of a sparse matrix; operand of products.
#pragma once

#include <acre/array/array.hpp>
#include <acre/base/site.hpp>
#include <acre/csr/csr_rows.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_memory.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/global/transfer/indexed.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace acre {

/// Moves: local. Destruction: collective, B.
template <writable T>
class dense_vector {
 public:
  using value_type = T;

  dense_vector() = default;
  /// Fills all elements with `initial`. Collective. Cost: 1 allgather + B.
  /// @throws acre::error on all members for short memory, differing sizes or a mismatched `rows`
  dense_vector(const team& members, const row_cut& rows, const T& initial = T{},
               const site& where = site::current())
      : all_(std::make_unique<storage>(members, rows, where)) {
    std::ranges::uninitialized_fill(local(), initial);
    members.barrier(where);
  }

  [[nodiscard]] std::size_t size() const noexcept { return all_ ? all_->rows.rows() : 0; }
  [[nodiscard]] const team& members() const { return all_->members(); }
  [[nodiscard]] std::uint64_t identity() const { return all_->memory().identity(); }
  [[nodiscard]] const row_cut& cut() const { return all_->rows; }

  [[nodiscard]] std::span<T> local() { return own(); }
  [[nodiscard]] std::span<const T> local() const { return own(); }
  /// Index of local()[0].
  [[nodiscard]] std::size_t local_offset() const { return cut().first_of(members().rank()); }

  /// Address for put, get and atomics.
  [[nodiscard]] global_ptr<T> pointer(std::size_t index) { return element(index); }
  [[nodiscard]] global_ptr<const T> pointer(std::size_t index) const { return element(index); }
  /// Returns the elements at `indices`. Cost: l each within the node, else 2 M per about 1000
  /// elements of an owner.
  [[nodiscard]] std::vector<T> gather(std::span<const column_t> indices) const {
    std::vector<T> values(indices.size());
    std::vector<std::vector<std::size_t>> far(cut().members());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const rank_t owner = cut().owner(indices[i]);
      if (const std::byte* const block = all_->memory().direct(owner)) [[likely]] {
        values[i] = reinterpret_cast<const T*>(block)[indices[i] - cut().first_of(owner)];
      } else {
        far[owner].push_back(i);
      }
    }
    for (rank_t member = 0; member < cut().members(); ++member) {
      if (!far[member].empty()) gather_far(member, indices, far[member], values);
    }
    return values;
  }
  /// Any element. Cost: R or W.
  [[nodiscard]] global_ref<T> operator[](std::size_t index) { return *pointer(index); }
  [[nodiscard]] global_ref<const T> operator[](std::size_t index) const { return *pointer(index); }

 private:
  struct storage : team_object<team_memory> {
    storage(const team& of, const row_cut& cut, const site& where)
        : team_object(of, blocks_for(of, cut, where), "the destructor of the dense_vector made",
                      where),
          rows(cut) {}
    static team_memory blocks_for(const team& of, const row_cut& cut, const site& where) {
      csr::check_members("dense_vector", cut, of.size(), where);
      return team_memory(of, std::max<std::size_t>(cut.count_of(of.rank()) * sizeof(T), 1),
                         alignof(T), "dense_vector",
                         {.number = cut.rows(), .unit = "elements", .type = &typeid(T)}, where);
    }
    using team_object::memory;

    row_cut rows;
  };

  [[nodiscard]] std::span<T> own() const {
    if (all_ == nullptr) return {};
    return {reinterpret_cast<T*>(all_->memory().mine()), cut().count_of(members().rank())};
  }
  [[nodiscard]] global_ptr<T> element(std::size_t index) const {
    const rank_t owner = cut().owner(index);
    return global_ptr<T>::from_bits(all_->memory().bits_of(owner) +
                                    (index - cut().first_of(owner)) * sizeof(T));
  }

  void gather_far(rank_t member, std::span<const column_t> indices,
                  const std::vector<std::size_t>& wanted, std::vector<T>& values) const {
    std::vector<std::size_t> numbers;
    numbers.reserve(wanted.size());
    for (const std::size_t i : wanted) numbers.push_back(indices[i] - cut().first_of(member));
    const auto read = std::make_unique_for_overwrite<T[]>(wanted.size());
    get_indexed(element(cut().first_of(member)), numbers, std::span(read.get(), wanted.size()));
    for (std::size_t i = 0; i < wanted.size(); ++i) values[wanted[i]] = read[i];
  }

  std::unique_ptr<storage> all_;
};

template <class T>
[[nodiscard]] const row_cut& cut_of(const dense_vector<T>& vector) {
  return vector.cut();
}
template <class T>
[[nodiscard]] row_cut cut_of(const array<T>& vector) {
  return row_cut::equal(vector.size(), vector.members().size());
}

/// Vector with a contiguous index range per member.
template <class V>
concept row_vector = requires(const V& vector) {
  { vector.members() } -> std::convertible_to<const team&>;
  { cut_of(vector) } -> std::convertible_to<row_cut>;
  { vector.local() } -> std::convertible_to<std::span<const typename V::value_type>>;
  vector.pointer(std::size_t{});
};

}  // namespace acre
