// SPDX-License-Identifier: BSD-3-Clause
// Blocking calls of GASNet whose peer is lost.
#include "loss.hpp"

#include <cstddef>
#include <cstdint>
#include <gasnet.h>
#include <string>
#include <vector>

namespace {

using acre::faults::lossy_routine;

constexpr std::size_t most = 200'000;
std::byte* there = nullptr;
std::vector<std::byte> here(most);
constexpr gasnet_handler_t first_handler = 200;
volatile int answers = 0;

void ask(gasnet_token_t token) { gasnet_AMReplyShort0(token, first_handler + 1); }
void take(gasnet_token_t) { answers = answers + 1; }
void ask_medium(gasnet_token_t token, void* bytes, std::size_t count) {
  gasnet_AMReplyMedium0(token, first_handler + 3, bytes, count);
}
void take_medium(gasnet_token_t, void*, std::size_t) { answers = answers + 1; }

void prepare() {
  static int count = 1;
  static char name[] = "losses";
  static char* arguments[] = {name, nullptr};
  static char** all = arguments;
  gasnet_init(&count, &all);
  gasnet_handlerentry_t handlers[] = {
      {first_handler, reinterpret_cast<void (*)()>(ask)},
      {first_handler + 1, reinterpret_cast<void (*)()>(take)},
      {first_handler + 2, reinterpret_cast<void (*)()>(ask_medium)},
      {first_handler + 3, reinterpret_cast<void (*)()>(take_medium)}};
  gasnet_attach(handlers, 4, std::size_t{4} << 20, 0);
  std::vector<gasnet_seginfo_t> segments(gasnet_nodes());
  gasnet_getSegmentInfo(segments.data(), static_cast<int>(segments.size()));
  there = static_cast<std::byte*>(segments[1].addr);
}

void wait_for_answer(int before) { GASNET_BLOCKUNTIL(answers != before); }

const lossy_routine routines[] = {
    {"put", [] { gasnet_put(1, there, here.data(), most); }},
    {"put_val", [] { gasnet_put_val(1, there, 1, 8); }},
    {"get", [] { gasnet_get(here.data(), 1, there, most); }},
    {"get_val", [] { static_cast<void>(gasnet_get_val(1, there, 8)); }},
    {"memset", [] { gasnet_memset(1, there, 0, most); }},
    {"put_nb", [] { gasnet_wait_syncnb(gasnet_put_nb_bulk(1, there, here.data(), most)); }},
    {"put_nb_val", [] { gasnet_wait_syncnb(gasnet_put_nb_val(1, there, 1, 8)); }},
    {"get_nb", [] { gasnet_wait_syncnb(gasnet_get_nb_bulk(here.data(), 1, there, most)); }},
    {"get_nb_val",
     [] { static_cast<void>(gasnet_wait_syncnb_valget(gasnet_get_nb_val(1, there, 8))); }},
    {"put_nbi",
     [] {
       gasnet_put_nbi(1, there, here.data(), 8);
       gasnet_wait_syncnbi_puts();
     }},
    {"get_nbi",
     [] {
       gasnet_get_nbi_bulk(here.data(), 1, there, most);
       gasnet_wait_syncnbi_gets();
     }},
    {"short_request",
     [] {
       const int before = answers;
       gasnet_AMRequestShort0(1, first_handler);
       wait_for_answer(before);
     }},
    {"medium_request",
     [] {
       const int before = answers;
       gasnet_AMRequestMedium0(1, first_handler + 2, here.data(), 512);
       wait_for_answer(before);
     }},
    {"long_request",
     [] {
       const int before = answers;
       gasnet_AMRequestLong0(1, first_handler + 2, here.data(), 512, there);
       wait_for_answer(before);
     }},
    {"barrier",
     [] {
       gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
       gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
     }},
};

class GasnetLosses : public testing::TestWithParam<lossy_routine> {};

TEST_P(GasnetLosses, EndTheJobAndHangNobody) { acre::faults::expect_ends(GetParam(), prepare); }

INSTANTIATE_TEST_SUITE_P(Calls, GasnetLosses, testing::ValuesIn(routines),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
