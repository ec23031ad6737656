// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls of acre/global and arrays whose peer is lost.
#include "loss.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

using acre::faults::lossy_call;
using go = std::function<void()>;

constexpr std::size_t most = 20'000;

acre::global_ptr<long> there() { return {1, acre::allocate<long>(most).offset()}; }

std::vector<long>& values() {
  static std::vector<long> all(most, 7);
  return all;
}

using extents = std::array<std::size_t, 2>;
using strides = std::array<std::ptrdiff_t, 2>;

template <class F>
void many(F&& f) {
  for (int i = 0; i < 20; ++i) f();
}

const lossy_call one_sided[] = {
    {"put",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::put(p, 1L); });
     }},
    {"put_span",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::put(p, std::span<const long>(values())); });
     }},
    {"get",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { static_cast<void>(acre::get(p)); });
     }},
    {"get_span",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::get(p, std::span(values())); });
     }},
    {"get_of_a_struct",
     [](const go& may_go) {
       struct large {
         long words[40];
       };
       const acre::global_ptr<large> p(1, there().offset());
       may_go();
       many([&] { static_cast<void>(acre::get(p)); });
     }},
    {"put_strided",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] {
         acre::put_strided(p, extents{10, 20}, strides{100, 2}, values().data(), strides{20, 1});
       });
     }},
    {"get_strided",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] {
         acre::get_strided(p, extents{10, 20}, strides{100, 2}, values().data(), strides{20, 1});
       });
     }},
    {"copy",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::copy(p, p + most / 2, most / 2); });
     }},
    {"quiet",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       for (int i = 0; i < 20; ++i) acre::put_nbi(p, 1L);
       acre::quiet();
     }},
    {"fence",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] {
         acre::atomic_add_nbi(p, 1L);
         acre::fence();
       });
     }},
    {"reference",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { *p = *p + 1; });
     }},
};

const lossy_call atomics[] = {
    {"fetch_add",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::fetch_add(p, 1L); });
     }},
    {"atomic_load",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { static_cast<void>(acre::atomic_load(p)); });
     }},
    {"atomic_store",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::atomic_store(p, 1L); });
     }},
    {"atomic_exchange",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::atomic_exchange(p, 1L); });
     }},
    {"atomic_compare_exchange",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::atomic_compare_exchange(p, 0L, 1L); });
     }},
    {"atomic_add_nbi",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       for (int i = 0; i < 3000; ++i) acre::atomic_add_nbi(p, 1L);
       acre::quiet();
     }},
    {"quiet_after_an_atomic_that_failed",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       try {
         for (int i = 0; i < 20; ++i) acre::atomic_add_nbi(p, 1L);
       } catch (const acre::error&) {
         // quiet() returns at once, or fails.
       }
       acre::quiet();
       acre::fetch_add(p, 1L);
     }},
};

const lossy_call futures[] = {
    {"put_async",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::put_async(p, 1L).get(); });
     }},
    {"put_async_span",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::put_async(p, std::span<const long>(values())).wait(); });
     }},
    {"get_async",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { static_cast<void>(acre::get_async(p).get()); });
     }},
    {"get_async_span",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::get_async(p, std::span(values())).get(); });
     }},
    {"copy_async",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::copy_async(p, p + most / 2, most / 2).get(); });
     }},
    {"fetch_add_async",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { static_cast<void>(acre::fetch_add_async(p, 1L).get()); });
     }},
    {"when_all",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       many([&] { acre::when_all(acre::put_async(p, 1L), acre::get_async(p)).wait(); });
     }},
    {"task",
     [](const go& may_go) {
       const auto p = there();
       may_go();
       const auto work = [](acre::global_ptr<long> from) -> acre::task<long> {
         long sum = 0;
         for (int i = 0; i < 20; ++i) sum += co_await acre::get_async(from);
         co_return sum;
       };
       static_cast<void>(work(p).get());
     }},
    {"rpc",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::rpc(1, [](int x) { return x + 1; }, 3).get()); });
     }},
    {"rpc_of_much",
     [](const go& may_go) {
       may_go();
       many([&] {
         static_cast<void>(
             acre::rpc(1, [](const std::vector<long>& all) { return all; }, values()).get());
       });
     }},
    {"rpc_ff",
     [](const go& may_go) {
       may_go();
       for (int i = 0; i < 3000; ++i) acre::rpc_ff(1, [](int) {}, i);
       acre::barrier();
     }},
};

const lossy_call collectives[] = {
    {"barrier",
     [](const go& may_go) {
       may_go();
       many([&] { acre::barrier(); });
     }},
    {"barrier_async",
     [](const go& may_go) {
       may_go();
       many([&] { acre::world().barrier_async().get(); });
     }},
    {"broadcast",
     [](const go& may_go) {
       may_go();
       static_cast<void>(acre::world().broadcast(1, 1));
     }},
    {"broadcast_string",
     [](const go& may_go) {
       may_go();
       static_cast<void>(acre::world().broadcast(std::string("a"), 1));
     }},
    {"broadcast_span",
     [](const go& may_go) {
       may_go();
       acre::world().broadcast(std::span(values()), 1);
     }},
    {"allreduce",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().allreduce(1)); });
     }},
    {"allreduce_span",
     [](const go& may_go) {
       may_go();
       many([&] { acre::world().allreduce(std::span(values())); });
     }},
    {"allreduce_async",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().allreduce_async(1).get()); });
     }},
    {"reduce",
     [](const go& may_go) {
       may_go();
       many([&] { acre::world().reduce(1, 0); });
     }},
    {"reduce_span",
     [](const go& may_go) {
       may_go();
       many([&] { acre::world().reduce(std::span(values()), 0); });
     }},
    {"inclusive_scan",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().inclusive_scan(1)); });
     }},
    {"exclusive_scan",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().exclusive_scan(1)); });
     }},
    {"gather",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().gather(1, 0)); });
     }},
    {"gatherv",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().gatherv(std::span(values()), 0)); });
     }},
    {"allgather",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().allgather(1)); });
     }},
    {"allgather_strings",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().allgather(std::string("a"))); });
     }},
    {"allgatherv",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().allgatherv(std::span(values()))); });
     }},
    {"alltoall",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().alltoall(std::span(values()))); });
     }},
    {"alltoallv",
     [](const go& may_go) {
       may_go();
       const std::vector<std::vector<long>> parts(2, values());
       many([&] { static_cast<void>(acre::world().alltoallv(parts)); });
     }},
    {"split",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::world().split(0)); });
     }},
    {"cartesian",
     [](const go& may_go) {
       may_go();
       many([&] { static_cast<void>(acre::team::cartesian({2})); });
     }},
};

const lossy_call arrays[] = {
    {"array",
     [](const go& may_go) {
       may_go();
       many([&] { const acre::array<long> made(100); });
     }},
    {"array_fill",
     [](const go& may_go) {
       acre::array<long> a(100);
       may_go();
       many([&] { a.fill(3); });
     }},
    {"array_element",
     [](const go& may_go) {
       acre::array<long> a(100);
       may_go();
       many([&] { a[99] = 1 + a[99]; });
     }},
    {"array_end",
     [](const go& may_go) {
       acre::array<long> a(100);
       may_go();
     }},
    {"hosted_array",
     [](const go& may_go) {
       may_go();
       many([&] { const acre::hosted_array<long> made(acre::world(), acre::hosted_by{0}, 100); });
     }},
};

class Losses : public testing::TestWithParam<lossy_call> {};

TEST_P(Losses, AreErrorsAndNoHangs) { acre::faults::expect_errors(GetParam()); }

constexpr auto name_of = [](const auto& each) { return std::string(each.param.name); };
INSTANTIATE_TEST_SUITE_P(OneSided, Losses, testing::ValuesIn(one_sided), name_of);
INSTANTIATE_TEST_SUITE_P(Atomics, Losses, testing::ValuesIn(atomics), name_of);
INSTANTIATE_TEST_SUITE_P(Futures, Losses, testing::ValuesIn(futures), name_of);
INSTANTIATE_TEST_SUITE_P(Collectives, Losses, testing::ValuesIn(collectives), name_of);
INSTANTIATE_TEST_SUITE_P(Arrays, Losses, testing::ValuesIn(arrays), name_of);

}  // namespace
