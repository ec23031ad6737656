// SPDX-License-Identifier: BSD-3-Clause
// Module tables are immutable; readers load one pointer. After a failed lookup and a dlopen, a
// larger one is published; readers keep old ones.
#include <acre/global/wire/callable.hpp>

#include <acre/base/error.hpp>
#include <acre/base/loaded_modules.hpp>
#include <acre/base/split_mix.hpp>

#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unwind.h>
#include <vector>

namespace acre::global {
namespace {

using module = loaded_module;

struct module_table {
  unsigned long long loads = count_module_loads();
  std::vector<module> modules = loaded_modules();
};

class module_index {
 public:
  module_index() { publish(); }

  template <class Predicate>
  const module* find(Predicate accepts) {
    const module_table* table = current_.load(std::memory_order_acquire);
    if (const module* found = search(*table, accepts)) return found;
    const std::lock_guard lock(mutex_);
    if (count_module_loads() != tables_.back()->loads) publish();
    return search(*tables_.back(), accepts);
  }

  [[nodiscard]] const module& main_executable() const {
    return current_.load(std::memory_order_acquire)->modules.front();
  }

 private:
  template <class Predicate>
  static const module* search(const module_table& table, Predicate& accepts) {
    for (const auto& candidate : table.modules) {
      if (accepts(candidate)) return &candidate;
    }
    return nullptr;
  }

  void publish() {
    auto table = std::make_unique<module_table>();
    current_.store(table.get(), std::memory_order_release);
    tables_.push_back(std::move(table));
  }

  std::atomic<const module_table*> current_{nullptr};
  std::mutex mutex_;
  std::vector<std::unique_ptr<module_table>> tables_;
};

module_index& modules() {
  static module_index index;
  return index;
}

std::string hexadecimal(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string name_of(const module& where) {
  return where.path.empty() ? std::string("the main executable") : where.path;
}

[[noreturn]] void throw_unknown_module(std::uint32_t hash) {
  throw error(
      "rpc",
      "this rank runs a different binary from the sender of a function: no module here "
      "has the build hash " +
          hexadecimal(hash) + " (the main executable has " +
          hexadecimal(modules().main_executable().hash) + ")",
      "start the same build of the program and its libraries on all ranks; load a dlopen "
      "library on the target too; in a job of several programs, call ranks of the same one");
}

[[noreturn]] void throw_no_code(callable_token token, const module& where) {
  throw error("rpc",
              "the token " + hexadecimal(static_cast<std::uint64_t>(token)) +
                  " is outside the code of " + name_of(where),
              "the message is damaged, or was not sent by rpc");
}

[[noreturn]] void throw_no_function(callable_token token, const module& where) {
  throw error("rpc",
              "the token " + hexadecimal(static_cast<std::uint64_t>(token)) +
                  " is not a function of " + name_of(where) + " that other ranks may call",
              "the message is damaged, or was not sent by rpc");
}

[[noreturn]] void throw_other_signature(callable_token token) {
  throw error("rpc",
              "the token " + hexadecimal(static_cast<std::uint64_t>(token)) +
                  " names a function of another kind than the message specifies",
              "the message is damaged, or was not sent by rpc");
}

constinit std::mutex list_lock;
constinit named_function* named_functions = nullptr;
constinit std::atomic<std::uint64_t> last_number{0};

template <class Use>
void for_each_named(Use&& use) {
  const std::lock_guard hold(list_lock);
  for (const named_function* each = named_functions; each != nullptr; each = each->next())
    use(*each);
}

bool has_named_some(const module& where) {
  bool found = false;
  for_each_named([&](const named_function& each) {
    found = found || where.holds_code_at(reinterpret_cast<std::uintptr_t>(each.function()));
  });
  return found;
}

bool begins_function(std::uintptr_t address) {
  // The unwinder expects a return address: it looks up pc − 1.
  void* const inside = reinterpret_cast<void*>(address + 1);
  if (_Unwind_FindEnclosingFunction(inside) == reinterpret_cast<void*>(address)) return true;
  Dl_info found{};
  return dladdr(reinterpret_cast<void*>(address), &found) != 0 &&
         found.dli_saddr == reinterpret_cast<void*>(address);
}

const module* module_of(std::uintptr_t address) {
  return modules().find([=](const module& candidate) { return candidate.holds_code_at(address); });
}

callable_token token_in(const module* home, std::uintptr_t address) {
  if (home == nullptr) {
    throw error("rpc", "the function at " + hexadecimal(address) + " is outside all loaded modules",
                "pass a function of the program or of a library, not one generated at run time");
  }
  const std::uintptr_t offset = address - home->start;
  if (offset > UINT32_MAX) {
    throw error("rpc",
                "the function at " + hexadecimal(address) +
                    " is more than 4 GiB after the start of " + name_of(*home),
                "pass functions of smaller modules");
  }
  return callable_token{std::uint64_t{home->hash} << 32 | offset};
}

struct unknown {};
/// Signature of identical functions that the linker merged.
struct several {};

/// Hash table from tokens to functions. Readers take no lock: an entry is complete before its token
/// is stored, and outgrown tables are kept.
class function_index {
 public:
  struct entry {
    std::atomic<std::uint64_t> token{0};
    any_function function = nullptr;
    std::atomic<const std::type_info*> signature{nullptr};
  };

  [[nodiscard]] const entry* find(callable_token token) const noexcept {
    const table* const current = current_.load(std::memory_order_acquire);
    if (current == nullptr) return nullptr;
    const entry& place = current->place_of(static_cast<std::uint64_t>(token));
    return place.token.load(std::memory_order_acquire) != 0 ? &place : nullptr;
  }

  [[nodiscard]] const entry* find_again(callable_token token) {
    const std::lock_guard hold(lock_);
    add_named();
    return find(token);
  }

  const entry* add(callable_token token, any_function function, const std::type_info& signature) {
    const std::lock_guard hold(lock_);
    return &insert(static_cast<std::uint64_t>(token), function, signature);
  }

 private:
  struct table {
    explicit table(std::size_t size) : entries(size) {}

    [[nodiscard]] entry& place_of(std::uint64_t token) noexcept {
      const std::size_t last = entries.size() - 1;
      std::size_t at = token * golden_gamma >> 32 & last;
      for (;; at = (at + 1) & last) {
        const std::uint64_t there = entries[at].token.load(std::memory_order_acquire);
        if (there == token || there == 0) return entries[at];
      }
    }
    [[nodiscard]] const entry& place_of(std::uint64_t token) const noexcept {
      return const_cast<table*>(this)->place_of(token);
    }

    std::vector<entry> entries;
    std::size_t used = 0;
  };

  void add_named() {
    const std::uint64_t last = last_number.load();
    if (last == seen_) return;
    for_each_named([&](const named_function& each) {
      if (each.number() <= seen_) return;
      const auto address = reinterpret_cast<std::uintptr_t>(each.function());
      const module* const home = module_of(address);
      if (home == nullptr || address - home->start > UINT32_MAX) return;
      insert(static_cast<std::uint64_t>(token_in(home, address)), each.function(),
             each.signature());
    });
    seen_ = last;
  }

  entry& insert(std::uint64_t token, any_function function, const std::type_info& signature) {
    if (tables_.empty() || 2 * tables_.back()->used >= tables_.back()->entries.size()) grow();
    table& current = *tables_.back();
    entry& place = current.place_of(token);
    const std::type_info* const before = place.signature.load(std::memory_order_relaxed);
    if (before == nullptr) {
      place.function = function;
      place.signature.store(&signature, std::memory_order_relaxed);
      place.token.store(token, std::memory_order_release);
      ++current.used;
    } else if (*before == typeid(unknown)) {
      place.signature.store(&signature, std::memory_order_release);
    } else if (*before != signature && signature != typeid(unknown)) {
      place.signature.store(&typeid(several), std::memory_order_release);
    }
    return place;
  }

  void grow() {
    const table* const before = tables_.empty() ? nullptr : tables_.back().get();
    auto larger = std::make_unique<table>(before == nullptr ? 1024 : 2 * before->entries.size());
    if (before != nullptr) {
      for (const entry& each : before->entries) {
        const std::uint64_t token = each.token.load(std::memory_order_relaxed);
        if (token == 0) continue;
        entry& place = larger->place_of(token);
        place.function = each.function;
        place.signature.store(each.signature.load(std::memory_order_relaxed),
                              std::memory_order_relaxed);
        place.token.store(token, std::memory_order_relaxed);
      }
      larger->used = before->used;
    }
    current_.store(larger.get(), std::memory_order_release);
    tables_.push_back(std::move(larger));
  }

  std::atomic<const table*> current_{nullptr};
  std::mutex lock_;
  std::uint64_t seen_ = 0;
  std::vector<std::unique_ptr<table>> tables_;
};

/// Never destroyed: static objects may send.
function_index& functions() {
  static auto& made = *new function_index;
  return made;
}

bool fits(const function_index::entry& found, callable_kind kind, const std::type_info* wanted) {
  const std::type_info* const is = found.signature.load(std::memory_order_acquire);
  if (is == wanted) return true;
  if (*is == typeid(unknown)) return kind == callable_kind::function;
  return wanted == nullptr || *is == *wanted || *is == typeid(several);
}

/// Resolves unnamed functions; the token must refer to the first byte.
const function_index::entry& find_function(callable_token token) {
  const auto bits = static_cast<std::uint64_t>(token);
  const auto hash = static_cast<std::uint32_t>(bits >> 32);
  const module* home =
      modules().find([=](const module& candidate) { return candidate.hash == hash; });
  if (home == nullptr) throw_unknown_module(hash);
  const std::uintptr_t address = home->start + static_cast<std::uint32_t>(bits);
  if (!home->holds_code_at(address)) throw_no_code(token, *home);
  if (!has_named_some(*home) || !begins_function(address)) throw_no_function(token, *home);
  return *functions().add(token, reinterpret_cast<any_function>(address), typeid(unknown));
}

}  // namespace

void named_function::enter() noexcept {
  const std::lock_guard hold(list_lock);
  next_ = named_functions;
  named_functions = this;
  number_ = last_number.fetch_add(1) + 1;
}

void named_function::leave() noexcept {
  const std::lock_guard hold(list_lock);
  for (named_function** link = &named_functions; *link != nullptr; link = &(*link)->next_) {
    if (*link != this) continue;
    *link = next_;
    return;
  }
}

callable_token token_of_listed(const named_function& listed, any_function function) {
  // Libraries may have copies of the function; all callers use the listed one.
  const any_function named = listed.function() != nullptr ? listed.function() : function;
  const auto address = reinterpret_cast<std::uintptr_t>(named);
  return token_in(module_of(address), address);
}

callable_token token_of_address(any_function function) {
  const auto address = reinterpret_cast<std::uintptr_t>(function);
  const module* const home = module_of(address);
  const callable_token token = token_in(home, address);
  if (functions().find(token) != nullptr) return token;
  if (!has_named_some(*home) || !begins_function(address)) {
    throw error("rpc",
                "the function at " + hexadecimal(address) + " of " + name_of(*home) +
                    " cannot be called by other ranks: it must belong to the program, or to a "
                    "library built with Acre",
                "pass a lambda that calls it");
  }
  functions().add(token, function, typeid(unknown));
  return token;
}

any_function resolve_address(callable_token token, callable_kind kind,
                             const std::type_info* signature) {
  const function_index::entry* found = functions().find(token);
  if (found == nullptr) found = functions().find_again(token);
  if (found == nullptr) found = &find_function(token);
  if (!fits(*found, kind, signature)) [[unlikely]] {
    throw_other_signature(token);
  }
  return found->function;
}

}  // namespace acre::global
