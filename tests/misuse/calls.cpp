// SPDX-License-Identifier: BSD-3-Clause
// Calls that do not compile, and what the compiler says: one error each, whose text is in the
// comment above, in at most 20 lines.
#include <acre/global/rpc/rpc.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct particle {
  std::string name;
  double mass;
};

struct message {
  std::string_view text;
  friend auto acre_fields(message& m) { return std::tie(m.text); }
};

struct shape {
  int area(int scale) const { return scale; }
};

int choose(int x);
double choose(double x);
int twice(int x) { return 2 * x; }
void grow(std::vector<int>& values) { values.push_back(1); }

void functions(acre::rank_t next, const acre::team& all) {
  const std::string text = "captured";
  int local = 1;
  const std::function<int(int)> any = twice;
  // says: a std::function cannot travel
  acre::rpc(next, any, 1).get();
  // says: captures must be trivially copyable. Pass it as an argument
  acre::rpc(next, [text] { return text.size(); }).get();
  // says: this lambda has captured a reference or a pointer, [&] or [this]
  acre::rpc(next, [&] { return local; }).get();
  // names: overload_to_be_chosen_by_static_cast
  // says: no matching function for call to
  acre::rpc(next, choose, 1).get();
  // says: no matching function for call to
  acre::rpc_ff(next, choose, 1);
  // says: no matching function for call to
  acre::rpc(all, 1, choose, 1).get();
  // says: a pointer to a member cannot travel
  acre::rpc(next, &shape::area, shape{}, 2).get();
}

void arguments(acre::rank_t next) {
  // says: friend auto acre_fields(T& x) { return std::tie(x.a, x.b); }
  acre::rpc(
      next, [](const std::map<int, particle>& p) { return p.size(); }, std::map<int, particle>{})
      .get();
  const int local = 1;
  // says: raw pointers mean nothing on another rank: send a global_ptr, or the value
  acre::rpc_ff(next, [](const int*) {}, &local);
  // says: a parameter of this function is T&, but its argument is a copy
  acre::rpc_ff(next, grow, std::vector<int>{1});
  // says: this function has another number of parameters than arguments are given here
  acre::rpc(next, twice, 1, 2).get();
  // says: this function cannot be called with these arguments
  acre::rpc(next, twice, std::string("2")).get();
}

void results(acre::rank_t next) {
  // says: this function returns a const char*
  acre::rpc(next, [] { return "literal"; }).get();
  // says: this function returns a pointer
  acre::rpc(next, []() -> int* { return nullptr; }).get();
  // says: holds a view of memory that the caller does not have
  acre::rpc(next, [] { return message{}; }).get();
}

void continuations(acre::future<int> number, acre::future<std::string> text) {
  // says: then() cannot call this function with the result
  std::move(number).then([](const std::string&) {});
  // says: but then() gives the result away: take it as T, T&& or const T&
  std::move(text).then([](std::string& s) { s += "!"; }).get();
}

}  // namespace
