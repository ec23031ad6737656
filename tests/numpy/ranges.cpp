// SPDX-License-Identifier: BSD-3-Clause
// Operations on ranges.
#include "case.hpp"

#include <functional>
#include <map>

namespace acre::testing {
namespace {

using integer = std::int64_t;

// Arguments: kind, size, then those of values.

template <class T>
void sum(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t size = input.number();
  with_range<T>(kind, size, next_values<T>(input), [&](auto& a) {
    result.push_back(static_cast<integer>(reduce_on_all(a)));
    result.push_back(static_cast<integer>(reduce_on(size % acre::size(), a).value_or(0)));
    result.back() = world().broadcast(result.back(), static_cast<rank_t>(size % acre::size()));
  });
}

void update(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t size = input.number();
  const std::size_t updates = input.number();
  with_range<integer>(kind, size, next_values<integer>(input), [&](auto& a) {
    const auto begin = std::ranges::begin(a);
    for (std::size_t i = rank(); i < size; i += acre::size()) {
      const auto element = begin[static_cast<std::ptrdiff_t>(i)];
      element += 7;
      element *= 3;
      element -= static_cast<integer>(i);
      element |= static_cast<integer>(i);
      if (i % 2 == 0) ++element;
      if (i % 3 == 0) element--;
      element <<= 2;
    }
    barrier();
    for (std::size_t k = 0; size != 0 && k < updates; ++k) {
      const auto at = static_cast<std::size_t>(random_number(k, rank())) % size;
      const acre::atomic_ref element(begin[static_cast<std::ptrdiff_t>(at)]);
      if (k % 2 == 0) {
        element += static_cast<integer>(k);
      } else {
        --element;
      }
    }
    append(result, a);
  });
}

void cumulative(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t to_kind = input.number();
  const std::size_t size = input.number();
  with_range<std::int8_t>(kind, size, next_values<std::int8_t>(input), [&](auto& a) {
    with_range<integer>(to_kind, size, {1, 2}, [&](auto& b) {
      inclusive_scan(a, b);
      append(result, b);
      inclusive_scan(a, b, op::product);
      append(result, b);
    });
  });
}

void order(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t size = input.number();
  with_range<int>(kind, size, next_values<int>(input), [&](auto& a) {
    append(result, argsort(a));
    append(result, argsort(a, std::ranges::greater()));
  });
}

void by_key(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t value_kind = input.number();
  const std::size_t size = input.number();
  with_range<int>(kind, size, next_values<int>(input), [&](auto& keys) {
    with_range<double>(value_kind, size, {9, 1000}, [&](auto& values) {
      sort_by_key(keys, values);
      append(result, keys);
      append(result, values);
    });
  });
}

void distinct(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t size = input.number();
  with_range<int>(kind, size, next_values<int>(input), [&](auto& a) {
    sort(a);
    const auto rest = unique(a);
    const auto kept = size - static_cast<std::size_t>(std::ranges::size(rest));
    append(result,
           std::ranges::subrange(std::ranges::begin(a),
                                 std::ranges::begin(a) + static_cast<std::ptrdiff_t>(kept)));
  });
}

void search(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t value_kind = input.number();
  const std::size_t size = input.number();
  const std::size_t count = input.number();
  with_range<int>(kind, size, next_values<int>(input), [&](auto& a) {
    sort(a);
    with_range<int>(value_kind, count, next_values<int>(input), [&](auto& wanted) {
      array<std::size_t> places(world(), count);
      lower_bound(a, wanted, places);
      append(result, places);
      upper_bound(a, wanted, places);
      append(result, places);
    });
  });
}

void accumulated(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t size = input.number();
  with_range<double>(kind, size, next_values<double>(input), [&](auto& a) {
    std::vector<double> mine(size);
    for (std::size_t i = 0; i < size; ++i) {
      mine[i] = static_cast<double>(random_number(rank() + 5U, i) % 100);
    }
    accumulate(mine, a);
    append(result, a);
    accumulate(mine, a, atomic_op::max);
    append(result, a);
  });
}

void copies(test_case& input, output& result) {
  const std::size_t kind = input.number();
  const std::size_t to_kind = input.number();
  const std::size_t size = input.number();
  with_range<double>(kind, size, next_values<double>(input), [&](auto& a) {
    with_range<int>(to_kind, size, {1, 2}, [&](auto& b) {
      for_each(a, [](double& each) { each /= 2; });
      copy(a, b);
      append(result, b);
    });
    with_range<double>(to_kind, size, {1, 2}, [&](auto& b) {
      barrier();
      for_each(a, [](double& each) { each *= 2; });
      const auto is_here = copy_async(a, b);
      is_here.wait();
      append(result, b);
    });
  });
}

void parts(test_case& input, output& result) {
  const auto count = static_cast<rank_t>(input.number());
  const team part = world().split_into(count);
  for (const rank_t each : world().allgather(part.rank())) result.push_back(each);
  for (const rank_t each : world().allgather(part.size())) result.push_back(each);
}

}  // namespace

bool run_range_case(test_case& input, output& result) {
  static const std::map<std::string, void (*)(test_case&, output&)> operations = {
      {"sum8", sum<std::int8_t>}, {"sumu8", sum<std::uint8_t>}, {"sum32", sum<int>},
      {"sumd", sum<double>},      {"update", update},           {"cumulative", cumulative},
      {"argsort", order},         {"sort_by_key", by_key},      {"unique", distinct},
      {"searchsorted", search},   {"accumulate", accumulated},  {"copy", copies},
      {"split_into", parts},
  };
  const auto found = operations.find(input.operation());
  if (found == operations.end()) return false;
  found->second(input, result);
  return true;
}

}  // namespace acre::testing
