// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/names.hpp>

#include <acre/agas/detail/name_table.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/base/hash_bytes.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/runtime/require_job.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace acre {
namespace agas {

namespace {

void require_text(const char* call, std::string_view name) {
  if (!name.empty()) return;
  throw error(call, "the name of an object is empty", "give it a name of at least one character");
}

}  // namespace

future<void> register_reference(std::string_view name, const reference& to) {
  require_text("register_name", name);
  if (!to)
    throw error("register_name",
                "the handle of the object for the name \"" + std::string(name) + "\" is empty");
  runtime::require_job("register_name");
  return rpc(rank_of_name(name), bind_name, std::string(name), to);
}

future<reference> resolve_reference(std::string_view name) {
  require_text("resolve", name);
  runtime::require_job("resolve");
  return rpc(rank_of_name(name), find_name, std::string(name));
}

future<reference> await_reference(std::string_view name) {
  require_text("resolve_when_registered", name);
  runtime::require_job("resolve_when_registered");
  return rpc(rank_of_name(name), find_name_or_wait{}, std::string(name));
}

}  // namespace agas

future<bool> unregister_name(std::string_view name) {
  runtime::require_job("unregister_name");
  return rpc(rank_of_name(name), agas::unbind_name, std::string(name));
}

std::vector<std::string> names_with_prefix(std::string_view prefix) {
  std::vector<future<std::vector<std::string>>> asked;
  asked.reserve(size());
  for (rank_t r = 0; r < size(); ++r)
    asked.push_back(rpc(r, agas::bound_names_with, std::string(prefix)));
  std::vector<std::string> all;
  for (auto& each : asked) std::ranges::move(each.get(), std::back_inserter(all));
  std::ranges::sort(all);
  return all;
}

rank_t rank_of_name(std::string_view name) noexcept {
  return static_cast<rank_t>(base::scale(base::hash_bytes(name), size()).whole);
}

}  // namespace acre
