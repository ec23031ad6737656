// SPDX-License-Identifier: BSD-3-Clause
// Invalid calls. Each yields one error of at most 20 lines, with the text in the comment above.
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
  // expects: a std::function cannot be sent
  acre::rpc(next, any, 1).get();
  // expects: captures must be trivially copyable. Pass it as an argument
  acre::rpc(next, [text] { return text.size(); }).get();
  // expects: this lambda captures a reference or a pointer, [&] or [this]
  acre::rpc(next, [&] { return local; }).get();
  // names: overload_to_be_chosen_by_static_cast
  // expects: no matching function for call to
  acre::rpc(next, choose, 1).get();
  // expects: no matching function for call to
  acre::rpc_ff(next, choose, 1);
  // expects: no matching function for call to
  acre::rpc(all, 1, choose, 1).get();
  // expects: a pointer to a member cannot be sent
  acre::rpc(next, &shape::area, shape{}, 2).get();
}

void arguments(acre::rank_t next) {
  // expects: friend auto acre_fields(T& x) { return std::tie(x.a, x.b); }
  acre::rpc(
      next, [](const std::map<int, particle>& p) { return p.size(); }, std::map<int, particle>{})
      .get();
  const int local = 1;
  // expects: raw pointers are invalid on another rank: send a global_ptr, or the value
  acre::rpc_ff(next, [](const int*) {}, &local);
  // expects: a parameter of this function is T&, but its argument is a copy
  acre::rpc_ff(next, grow, std::vector<int>{1});
  // expects: the number of arguments differs from the number of parameters of this function
  acre::rpc(next, twice, 1, 2).get();
  // expects: this function cannot be called with these arguments
  acre::rpc(next, twice, std::string("2")).get();
}

void results(acre::rank_t next) {
  // expects: this function returns a const char*
  acre::rpc(next, [] { return "literal"; }).get();
  // expects: this function returns a pointer
  acre::rpc(next, []() -> int* { return nullptr; }).get();
  // expects: holds a view of memory that the caller does not have
  acre::rpc(next, [] { return message{}; }).get();
}

void continuations(acre::future<int> number, acre::future<std::string> text) {
  // expects: then() cannot call this function with the result
  std::move(number).then([](const std::string&) {});
  // expects: but then() moves the result: take it as T, T&& or const T&
  std::move(text).then([](std::string& s) { s += "!"; }).get();
}

}  // namespace
