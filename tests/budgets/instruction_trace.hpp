// SPDX-License-Identifier: BSD-3-Clause
// Exact instruction counts by single-stepping (trap flag, SIGTRAP).
#pragma once

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <span>
#include <string_view>
#include <type_traits>
#include <ucontext.h>
#include <vector>

namespace budgets {

#if !defined(__x86_64__)
#error "instruction budgets are counted on x86-64"
#endif

/// One object at a time per process.
class instruction_trace {
 public:
  static constexpr std::size_t capacity = 1 << 16;

  instruction_trace() {
    struct sigaction action{};
    action.sa_sigaction = &note;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(SIGTRAP, &action, &before_);
    addresses().reserve(capacity);
  }
  ~instruction_trace() { ::sigaction(SIGTRAP, &before_, nullptr); }
  instruction_trace(const instruction_trace&) = delete;
  instruction_trace& operator=(const instruction_trace&) = delete;

  template <class Result, class... Parameters>
  [[gnu::noinline]] const std::vector<std::uintptr_t>& of(Result (*function)(Parameters...),
                                                          Parameters... arguments) {
    addresses().clear();
    // Hides the callee, so all functions are called alike.
    asm volatile("" : "+r"(function));
    set_trap_flag();
    static_cast<void>(function(arguments...));
    clear_trap_flag();
    return addresses();
  }

  /// Instructions beyond those of an `empty` function.
  template <class Result, class... Parameters>
  std::size_t cost(Result (*function)(Parameters...), Result (*empty)(Parameters...),
                   Parameters... arguments) {
    const std::size_t overhead = of(empty, arguments...).size();
    return of(function, arguments...).size() - overhead;
  }

  /// As cost(), including the return instruction.
  template <class Result, class... Parameters>
  std::size_t whole_call(Result (*function)(Parameters...),
                         std::type_identity_t<Parameters>... arguments) {
    return 1 +
           cost<Result, Parameters...>(
               function, reinterpret_cast<Result (*)(Parameters...)>(&only_return), arguments...);
  }

  /// Instructions until the first one in another library.
  template <class Result, class... Parameters>
  std::size_t steps_to_library(Result (*function)(Parameters...),
                               std::type_identity_t<Parameters>... arguments) {
    const void* own = module_of(reinterpret_cast<std::uintptr_t>(function));
    const auto& steps = of<Result, Parameters...>(function, arguments...);
    std::size_t begin = 0;
    while (begin < steps.size() && steps[begin] != reinterpret_cast<std::uintptr_t>(function)) {
      ++begin;
    }
    for (std::size_t i = begin; i < steps.size(); ++i) {
      if (module_of(steps[i]) != own) return i - begin;
    }
    return 0;
  }

  struct counted_steps {
    std::size_t count;
    bool has_reached;
  };
  /// Instructions before the first in a library whose path has one of `names`; if there is none,
  /// of the whole call.
  template <class Result, class... Parameters>
  counted_steps steps_to(std::span<const std::string_view> names, Result (*function)(Parameters...),
                         std::type_identity_t<Parameters>... arguments) {
    const std::size_t all = whole_call<Result, Parameters...>(function, arguments...);
    const auto& steps = of<Result, Parameters...>(function, arguments...);
    const auto begin = std::ranges::find(steps, reinterpret_cast<std::uintptr_t>(function));
    const auto is_there = [&](std::uintptr_t step) {
      Dl_info found{};
      if (::dladdr(reinterpret_cast<void*>(step), &found) == 0) return false;
      const std::string_view path(found.dli_fname);
      return std::ranges::any_of(names, [&](auto name) { return path.find(name) != path.npos; });
    };
    const auto reached = std::find_if(begin, steps.end(), is_there);
    if (reached == steps.end()) return {all, false};
    return {static_cast<std::size_t>(reached - begin), true};
  }

  /// Instructions in this program's module only.
  template <class Result, class... Parameters>
  std::size_t own_steps(Result (*function)(Parameters...),
                        std::type_identity_t<Parameters>... arguments) {
    const auto own_of = [](const std::vector<std::uintptr_t>& steps, const void* own) {
      std::size_t count = 0;
      for (const std::uintptr_t step : steps) count += module_of(step) == own ? 1 : 0;
      return count;
    };
    const void* const own = module_of(reinterpret_cast<std::uintptr_t>(function));
    const std::size_t all = own_of(of<Result, Parameters...>(function, arguments...), own);
    const auto empty = reinterpret_cast<Result (*)(Parameters...)>(&only_return);
    return 1 + all - own_of(of<Result, Parameters...>(empty, arguments...), own);
  }

 private:
  [[gnu::naked]] static void only_return() { asm("ret"); }

  static std::vector<std::uintptr_t>& addresses() {
    static std::vector<std::uintptr_t> all;
    return all;
  }

  static void note(int, siginfo_t*, void* context) {
    auto& all = addresses();
    if (all.size() < capacity) {
      all.push_back(static_cast<std::uintptr_t>(
          static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]));
    }
  }

  static const void* module_of(std::uintptr_t address) {
    Dl_info found{};
    return ::dladdr(reinterpret_cast<void*>(address), &found) != 0 ? found.dli_fbase : nullptr;
  }

  // pushfq writes to the stack: skips the red zone.
  static void set_trap_flag() {
    asm volatile(
        "lea -128(%%rsp), %%rsp\n pushfq\n orq $0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::
            : "cc", "memory");
  }
  static void clear_trap_flag() {
    asm volatile(
        "lea -128(%%rsp), %%rsp\n pushfq\n andq $~0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::
            : "cc", "memory");
  }

  struct sigaction before_{};
};

}  // namespace budgets
