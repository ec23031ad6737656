// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls of containers whose peer is lost; its part mirrors this rank's.
#include "loss.hpp"
#include <acre/ordered.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

using acre::faults::lossy_call;
using go = std::function<void()>;

using number_map = acre::hash_map<std::uint64_t, std::uint64_t>;
using text_map = acre::hash_map<std::string, std::string>;

template <class Container>
std::vector<std::uint64_t> far_keys(const Container& in, std::size_t count) {
  std::vector<std::uint64_t> found;
  for (std::uint64_t key = 0; found.size() < count; ++key) {
    if (in.owner(key).world_rank() == 1) found.push_back(key);
  }
  return found;
}
std::string far_text(const text_map& in, std::size_t length) {
  std::string key(length, 'a');
  while (in.owner(key).world_rank() != 1) ++key[0];
  return key;
}

template <class F>
void with_numbers(const go& may_go, F f) {
  number_map map(acre::world(), 1000);
  const auto keys = far_keys(map, 20);
  map.insert(keys[0], 1);
  may_go();
  for (const std::uint64_t key : keys) f(map, key);
}
template <class F>
void with_found(const go& may_go, F f) {
  number_map map(acre::world(), 1000);
  const auto keys = far_keys(map, 20);
  may_go();
  for (const std::uint64_t key : keys) f(map, key);
}
template <class F>
void with_texts(const go& may_go, F f) {
  text_map map(acre::world(), 100);
  const std::string key = far_text(map, 20);
  map.insert(key, key);
  may_go();
  for (int i = 0; i < 10; ++i) f(map, key);
}
template <class F>
void with_map(const go& may_go, F f) {
  number_map map(acre::world(), 1000);
  may_go();
  for (int i = 0; i < 5; ++i) f(map);
}

template <class F>
void with_priorities(const go& may_go, F f) {
  acre::priority_queue<std::uint64_t> queue(acre::world());
  may_go();
  for (int i = 0; i < 5; ++i) f(queue);
}

const lossy_call maps[] = {
    {"hash_map",
     [](const go& may_go) {
       may_go();
       for (int i = 0; i < 5; ++i) const number_map made(acre::world(), 100);
     }},
    {"insert",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) { map.insert(key, key); });
     }},
    {"insert_or_assign",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) { map.insert_or_assign(key, key); });
     }},
    {"find",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) { static_cast<void>(map.find(key)); });
     }},
    {"contains",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) { static_cast<void>(map.contains(key)); });
     }},
    {"update",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) {
         map.update(key, [](std::uint64_t& value) { ++value; }, 1);
       });
     }},
    {"map_fetch_add",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) { static_cast<void>(map.fetch_add(key, 1)); });
     }},
    {"erase",
     [](const go& may_go) { with_numbers(may_go, [](auto& map, auto key) { map.erase(key); }); }},
    {"insert_async",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) { map.insert_async(key, key).wait(); });
     }},
    {"find_async",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) { map.find_async(key).wait(); });
     }},
    {"find_by_get",
     [](const go& may_go) {
       with_found(may_go, [](auto& map, auto key) {
         static_cast<void>(map.find(key, acre::guarantees::only<acre::guarantees::find>));
       });
     }},
    {"find_by_get_async",
     [](const go& may_go) {
       with_found(may_go, [](auto& map, auto key) {
         map.find_async(key, acre::guarantees::only<acre::guarantees::find>).wait();
       });
     }},
    {"futures_that_nobody_waits_for",
     [](const go& may_go) {
       with_numbers(may_go, [](auto& map, auto key) {
         auto dropped = map.insert_async(key, key);
         static_cast<void>(dropped.is_ready());
       });
     }},
    {"find_text",
     [](const go& may_go) {
       with_texts(may_go, [](auto& map, const auto& key) { static_cast<void>(map.find(key)); });
     }},
    {"assign_large_text",
     [](const go& may_go) {
       with_texts(may_go, [](auto& map, const auto& key) {
         map.insert_or_assign(key, std::string(50'000, 'x'));
       });
     }},
    {"find_large_text",
     [](const go& may_go) {
       text_map map(acre::world(), 100);
       const std::string key = far_text(map, 20);
       map.insert(key, std::string(50'000, 'x'));
       may_go();
       for (int i = 0; i < 10; ++i) static_cast<void>(map.find(key));
     }},
    {"find_large_text_async",
     [](const go& may_go) {
       text_map map(acre::world(), 100);
       const std::string key = far_text(map, 20);
       map.insert(key, std::string(50'000, 'x'));
       may_go();
       for (int i = 0; i < 10; ++i) map.find_async(key).wait();
     }},
    {"assign_large_text_async",
     [](const go& may_go) {
       with_texts(may_go, [](auto& map, const auto& key) {
         map.insert_or_assign_async(key, std::string(50'000, 'x')).wait();
       });
     }},
    {"insert_many",
     [](const go& may_go) {
       number_map map(acre::world(), 10'000);
       const auto keys = far_keys(map, 2000);
       may_go();
       for (int i = 0; i < 5; ++i) map.insert_many(keys, keys);
     }},
    {"find_many",
     [](const go& may_go) {
       number_map map(acre::world(), 10'000);
       const auto keys = far_keys(map, 2000);
       may_go();
       for (int i = 0; i < 5; ++i) static_cast<void>(map.find_many(keys));
     }},
    {"walk",
     [](const go& may_go) {
       text_map map(acre::world(), 100);
       map.insert(far_text(map, 20), std::string(50'000, 'x'));
       may_go();
       for (int i = 0; i < 5; ++i) {
         for (const auto& [key, value] : map) static_cast<void>(value.size());
       }
     }},
    {"map_size",
     [](const go& may_go) { with_map(may_go, [](auto& map) { static_cast<void>(map.size()); }); }},
    {"map_sync", [](const go& may_go) { with_map(may_go, [](auto& map) { map.sync(); }); }},
    {"map_clear", [](const go& may_go) { with_map(may_go, [](auto& map) { map.clear(); }); }},
    {"map_resize",
     [](const go& may_go) { with_map(may_go, [](auto& map) { map.resize(2 * map.capacity()); }); }},
    {"map_reserve",
     [](const go& may_go) {
       with_map(may_go, [](auto& map) { map.reserve(2 * map.capacity()); });
     }},
    {"map_grow",
     [](const go& may_go) {
       with_map(may_go, [](auto& map) { static_cast<void>(map.grow_if_needed()); });
     }},
    {"map_end_with_work_under_way",
     [](const go& may_go) {
       number_map map(acre::world(), 1000);
       const auto keys = far_keys(map, 5);
       may_go();
       auto left = map.insert_async(keys[0], 1);
     }},
};

const lossy_call writers[] = {
    {"flush",
     [](const go& may_go) {
       number_map counts(acre::world(), 10'000);
       const auto keys = far_keys(counts, 2000);
       may_go();
       acre::buffered writer(counts, acre::counting);
       for (int i = 0; i < 50; ++i) {
         for (const std::uint64_t key : keys) writer.add(key);
       }
       writer.flush();
     }},
    {"flush_and_grow",
     [](const go& may_go) {
       number_map counts(acre::world(), 1000);
       const auto keys = far_keys(counts, 2000);
       may_go();
       acre::buffered writer(counts, acre::counting);
       for (const std::uint64_t key : keys) writer.add(key);
       writer.flush_and_grow();
     }},
    {"writers_end",
     [](const go& may_go) {
       number_map counts(acre::world(), 10'000);
       const auto keys = far_keys(counts, 2000);
       may_go();
       acre::buffered writer(counts, acre::counting);
       for (const std::uint64_t key : keys) writer.add(key);
     }},
    {"reader",
     [](const go& may_go) {
       number_map map(acre::world(), 10'000);
       const auto keys = far_keys(map, 2000);
       may_go();
       acre::buffered reader(map, acre::finding([](auto, const auto&) {}));
       for (int i = 0; i < 5; ++i) {
         for (const std::uint64_t key : keys) reader.find(key);
       }
     }},
    {"hash_set",
     [](const go& may_go) {
       acre::hash_set<std::uint64_t> set(acre::world(), 1000);
       const auto keys = far_keys(set, 20);
       may_go();
       for (const std::uint64_t key : keys) set.insert(key);
     }},
    {"hash_multimap",
     [](const go& may_go) {
       acre::hash_multimap<std::uint64_t, std::string> map(acre::world(), 1000);
       const auto keys = far_keys(map, 20);
       may_go();
       for (const std::uint64_t key : keys) {
         map.insert(key, "text");
         static_cast<void>(map.find(key));
         static_cast<void>(map.count(key));
         map.visit(key, [](std::string& value) { value += "s"; });
         map.erase(key, "text");
       }
     }},
    {"buffered_texts",
     [](const go& may_go) {
       acre::hash_map<std::uint64_t, std::string> map(acre::world(), 1000);
       const auto keys = far_keys(map, 20);
       may_go();
       acre::buffered writer(map, acre::assigning);
       for (int i = 0; i < 5; ++i) {
         for (const std::uint64_t key : keys) writer.assign(key, "text");
         writer.flush();
       }
     }},
    {"counting_map",
     [](const go& may_go) {
       acre::counting_map<std::uint64_t> counts(acre::world(), 1000);
       const auto keys = far_keys(counts, 20);
       may_go();
       for (const std::uint64_t key : keys) counts.add(key);
     }},
};

const lossy_call set_calls[] = {
    {"unite",
     [](const go& may_go) {
       acre::union_find sets(acre::world(), 100);
       may_go();
       for (std::uint64_t i = 50; i < 99; ++i) sets.unite(i, i + 1);
     }},
    {"are_together",
     [](const go& may_go) {
       acre::union_find sets(acre::world(), 100);
       may_go();
       for (std::uint64_t i = 50; i < 99; ++i) static_cast<void>(sets.are_together(i, i + 1));
     }},
    {"find_representative",
     [](const go& may_go) {
       acre::union_find sets(acre::world(), 100);
       may_go();
       for (std::uint64_t i = 50; i < 100; ++i) static_cast<void>(sets.find(i));
     }},
    {"unite_all",
     [](const go& may_go) {
       acre::union_find sets(acre::world(), 20'000);
       std::vector<acre::union_find::edge> edges;
       for (std::uint64_t i = 10'000; i + 1 < 20'000; ++i) edges.emplace_back(i, i + 1);
       may_go();
       for (int i = 0; i < 20; ++i) sets.unite_all(edges);
     }},
    {"unite_many",
     [](const go& may_go) {
       acre::union_find sets(acre::world(), 20'000);
       std::vector<acre::union_find::edge> edges;
       for (std::uint64_t i = 10'000; i + 1 < 20'000; ++i) edges.emplace_back(i, i + 1);
       may_go();
       for (int i = 0; i < 20; ++i) static_cast<void>(sets.unite_many(edges));
     }},
    {"compress",
     [](const go& may_go) {
       acre::union_find sets(acre::world(), 1000);
       may_go();
       for (int i = 0; i < 5; ++i) sets.compress();
     }},
    {"set_count",
     [](const go& may_go) {
       acre::union_find sets(acre::world(), 1000);
       may_go();
       for (int i = 0; i < 5; ++i) static_cast<void>(sets.set_count());
     }},
    {"unite_keys",
     [](const go& may_go) {
       acre::disjoint_set<std::uint64_t> sets(acre::world(), 1000);
       const auto keys = far_keys(sets, 20);
       may_go();
       for (const std::uint64_t key : keys) sets.unite(key, keys[0]);
     }},
};

using acre::hosted_by;

template <class T, class F>
void with_queue(const go& may_go, F f) {
  acre::circular_queue<T> queue(acre::world(), hosted_by{1}, 20'000);
  queue.push(T{});
  may_go();
  for (int i = 0; i < 10; ++i) f(queue);
}

const lossy_call queues[] = {
    {"queue_push", [](const go& may_go) { with_queue<long>(may_go, [](auto& q) { q.push(1); }); }},
    {"queue_pop",
     [](const go& may_go) {
       with_queue<long>(may_go, [](auto& q) { static_cast<void>(q.pop()); });
     }},
    {"queue_peek",
     [](const go& may_go) {
       with_queue<long>(may_go, [](auto& q) { static_cast<void>(q.peek()); });
     }},
    {"queue_totals",
     [](const go& may_go) {
       with_queue<long>(may_go, [](auto& q) { static_cast<void>(q.size()); });
     }},
    {"queue_settled",
     [](const go& may_go) {
       acre::fast_queue<long> queue(acre::world(), hosted_by{1}, 1000);
       queue.push(7);
       acre::barrier();
       const auto all = queue.settled();
       may_go();
       for (int i = 0; i < 10; ++i) static_cast<void>(all[0]);
     }},
    {"queue_push_wait",
     [](const go& may_go) { with_queue<long>(may_go, [](auto& q) { q.push_wait(1); }); }},
    {"queue_pop_wait",
     [](const go& may_go) {
       with_queue<long>(may_go, [](auto& q) { static_cast<void>(q.pop_wait()); });
     }},
    {"queue_push_span",
     [](const go& may_go) {
       const std::vector<long> many(5000, 1);
       with_queue<long>(may_go, [&](auto& q) { q.push_some(many); });
     }},
    {"queue_pop_span",
     [](const go& may_go) {
       std::vector<long> many(5000, 1);
       with_queue<long>(may_go, [&](auto& q) { q.pop_some(many); });
     }},
    {"queue_of_texts",
     [](const go& may_go) {
       with_queue<std::string>(may_go, [](auto& q) {
         q.push("some text");
         static_cast<void>(q.pop());
       });
     }},
    {"queue_of_large_texts",
     [](const go& may_go) {
       with_queue<std::string>(may_go, [](auto& q) {
         q.push(std::string(30'000, 'x'));
         static_cast<void>(q.pop());
       });
     }},
    {"queue_clear", [](const go& may_go) { with_queue<long>(may_go, [](auto& q) { q.clear(); }); }},
    {"queue_resize",
     [](const go& may_go) { with_queue<long>(may_go, [](auto& q) { q.resize(30'000); }); }},
    {"queue_migrate",
     [](const go& may_go) { with_queue<long>(may_go, [](auto& q) { q.migrate({0}); }); }},
    {"fast_queue",
     [](const go& may_go) {
       acre::fast_queue<long> queue(acre::world(), hosted_by{1}, 1000);
       may_go();
       for (int i = 0; i < 10; ++i) queue.push(1);
     }},
};

template <class T, class F>
void with_deque(const go& may_go, F f) {
  acre::deque<T> values(acre::world(), hosted_by{1});
  values.push_back(T{});
  may_go();
  for (int i = 0; i < 10; ++i) f(values);
}

const lossy_call deques[] = {
    {"deque_push",
     [](const go& may_go) { with_deque<long>(may_go, [](auto& d) { d.push_front(1); }); }},
    {"deque_pop",
     [](const go& may_go) {
       with_deque<long>(may_go, [](auto& d) { static_cast<void>(d.pop_back()); });
     }},
    {"deque_peek",
     [](const go& may_go) {
       with_deque<long>(may_go, [](auto& d) { static_cast<void>(d.peek_front()); });
     }},
    {"deque_size",
     [](const go& may_go) {
       with_deque<long>(may_go, [](auto& d) { static_cast<void>(d.size()); });
     }},
    {"deque_of_large_texts",
     [](const go& may_go) {
       with_deque<std::string>(may_go, [](auto& d) {
         d.push_back(std::string(30'000, 'x'));
         static_cast<void>(d.pop_front());
       });
     }},
};

const lossy_call filters_and_distributors[] = {
    {"filter_insert",
     [](const go& may_go) {
       acre::bloom_filter<std::uint64_t> filter(acre::world(), 1000, 0.01);
       const auto keys = far_keys(filter, 20);
       may_go();
       for (const std::uint64_t key : keys) filter.insert(key);
     }},
    {"filter_find_many",
     [](const go& may_go) {
       acre::bloom_filter<std::uint64_t> filter(acre::world(), 1000, 0.01);
       const auto keys = far_keys(filter, 2000);
       may_go();
       for (int i = 0; i < 5; ++i) static_cast<void>(filter.find_many(keys));
     }},
    {"filter_count",
     [](const go& may_go) {
       acre::bloom_filter<std::uint64_t> filter(acre::world(), 1000, 0.01);
       may_go();
       for (int i = 0; i < 5; ++i) static_cast<void>(filter.fill_ratio());
     }},
    {"filter_clear",
     [](const go& may_go) {
       acre::bloom_filter<std::uint64_t> filter(acre::world(), 1000, 0.01);
       may_go();
       for (int i = 0; i < 5; ++i) filter.clear();
     }},
    {"distributor",
     [](const go& may_go) {
       acre::distributor<std::uint64_t> all(acre::world());
       may_go();
       for (int round = 0; round < 3; ++round) {
         for (std::uint64_t i = 0; i < 20'000; ++i) all.push(1, i);
         all.finish([](std::uint64_t) {});
       }
     }},
};

const lossy_call ordered[] = {
    {"sorted_map",
     [](const go& may_go) {
       may_go();
       for (int i = 0; i < 5; ++i) {
         const acre::sorted_map<std::uint64_t, std::uint64_t> made(acre::world());
       }
     }},
    {"priority_queue",
     [](const go& may_go) {
       may_go();
       for (int i = 0; i < 5; ++i) const acre::priority_queue<std::uint64_t> made(acre::world());
     }},
    {"priority_push",
     [](const go& may_go) { with_priorities(may_go, [](auto& queue) { queue.push(1, 1); }); }},
    {"priority_steal",
     [](const go& may_go) {
       with_priorities(may_go, [](auto& queue) { static_cast<void>(queue.pop()); });
     }},
    {"priority_work",
     [](const go& may_go) {
       with_priorities(may_go, [](auto& queue) {
         for (std::uint64_t i = 0; i < 50; ++i) queue.push(1, i);
         queue.work([](std::uint64_t value, auto& more) {
           if (value < 1000) more.push(1, value + 100);
         });
       });
     }},
    {"priority_least",
     [](const go& may_go) {
       with_priorities(may_go, [](auto& queue) { static_cast<void>(queue.least()); });
     }},
};

class Losses : public testing::TestWithParam<lossy_call> {};

TEST_P(Losses, AreErrorsAndNoHangs) { acre::faults::expect_errors(GetParam()); }

constexpr auto name_of = [](const auto& each) { return std::string(each.param.name); };
INSTANTIATE_TEST_SUITE_P(Maps, Losses, testing::ValuesIn(maps), name_of);
INSTANTIATE_TEST_SUITE_P(Writers, Losses, testing::ValuesIn(writers), name_of);
INSTANTIATE_TEST_SUITE_P(Sets, Losses, testing::ValuesIn(set_calls), name_of);
INSTANTIATE_TEST_SUITE_P(Queues, Losses, testing::ValuesIn(queues), name_of);
INSTANTIATE_TEST_SUITE_P(Deques, Losses, testing::ValuesIn(deques), name_of);
INSTANTIATE_TEST_SUITE_P(Ordered, Losses, testing::ValuesIn(ordered), name_of);
INSTANTIATE_TEST_SUITE_P(FiltersAndDistributors, Losses,
                         testing::ValuesIn(filters_and_distributors), name_of);

}  // namespace
