// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>

#include <acre/base/site.hpp>

#include <optional>
#include <unistd.h>

namespace acre {
namespace {

std::optional<std::string> identity;

std::string joined(std::string_view problem, std::string_view advice) {
  std::string text(problem);
  if (!advice.empty()) text.append("\n      ").append(advice);
  return text;
}

std::string compose(std::string_view call, std::string_view problem, std::string_view advice) {
  std::string text = "acre: " + process_identity() + ": ";
  return text.append(call).append(": ").append(joined(problem, advice));
}

}  // namespace

error::error(std::string_view call, std::string_view problem, std::string_view advice)
    : std::runtime_error(compose(call, problem, advice)),
      call_(call),
      problem_(problem),
      advice_(advice) {}

error::~error() = default;

std::string error::problem_and_advice() const { return joined(problem_, advice_); }

void identify_process(std::uint32_t rank, std::string_view host) {
  identity = "rank " + std::to_string(rank) + " on node " + std::string(host);
}

std::string process_identity() {
  return identity ? *identity : "process " + std::to_string(::getpid());
}

bool is_of_program(const site& where) noexcept {
  if (where.line() == 0) return false;
  constexpr std::string_view here = site::current().file_name();
  constexpr std::string_view tail = "acre/base/error.cpp";
  static_assert(here.ends_with(tail));
  constexpr std::string_view sources = here.substr(0, here.size() - tail.size());
  std::string_view file = where.file_name();
  if (file.find("_test.") != std::string_view::npos) return true;
  if (file.find("/include/acre/") != std::string_view::npos) return false;
  if (!file.starts_with(sources)) return true;
  file.remove_prefix(sources.size());
  return !file.starts_with("acre/") && !file.starts_with("capi/");
}

std::string describe_place(const site& where) {
  if (!is_of_program(where)) return {};
  return " at " + std::string(where.file_name()) + ":" + std::to_string(where.line());
}

}  // namespace acre
