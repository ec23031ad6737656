// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point synchronisation: waits and tests on variables.
#include "access.hpp"
#include "failure.hpp"
#include "families.hpp"
#include <acre/runtime/progress.hpp>
#include <acre/runtime/wait.hpp>

#include <atomic>
#include <cstddef>

namespace acre::shmem {
namespace {

template <class T>
T look(const T* variable) noexcept {
  return std::atomic_ref<T>(*const_cast<T*>(variable)).load(std::memory_order_acquire);
}

template <class T>
bool holds(const T* variable, int comparison, T value) {
  const T now = look(variable);
  switch (comparison) {
    case SHMEM_CMP_EQ:
      return now == value;
    case SHMEM_CMP_NE:
      return now != value;
    case SHMEM_CMP_GT:
      return now > value;
    case SHMEM_CMP_GE:
      return now >= value;
    case SHMEM_CMP_LT:
      return now < value;
    case SHMEM_CMP_LE:
      return now <= value;
    default:
      fail("shmem_wait_until or shmem_test", "unknown comparison: " + std::to_string(comparison));
  }
}

template <class Ready>
void wait(const char* routine, Ready&& ready) {
  require_session(routine);
  or_fail(routine, [&] { runtime::wait_until(ready, routine); });
}
template <class Ready>
bool test(Ready&& ready) {
  if (ready()) return true;
  progress();
  return ready();
}

template <class T>
class variables {
 public:
  variables(const T* them, std::size_t count, const int* status, int comparison,
            const T& value) noexcept
      : variables(them, count, status, comparison, &value, 0) {}
  variables(const T* them, std::size_t count, const int* status, int comparison,
            const T* values) noexcept
      : variables(them, count, status, comparison, values, 1) {}

  [[nodiscard]] bool is_empty() const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (counts(i)) return false;
    }
    return true;
  }
  [[nodiscard]] bool all() const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (counts(i) && !holds_at(i)) return false;
    }
    return true;
  }
  /// Index of a variable that matches, starting after that of the last call; SIZE_MAX without a
  /// match.
  [[nodiscard]] std::size_t any() const {
    static thread_local std::size_t first = 0;
    for (std::size_t n = 0; n < count_; ++n) {
      const std::size_t i = (first + n) % count_;
      if (counts(i) && holds_at(i)) {
        first = i + 1;
        return i;
      }
    }
    return SIZE_MAX;
  }
  [[nodiscard]] std::size_t some(std::size_t* indices) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (counts(i) && holds_at(i)) indices[found++] = i;
    }
    return found;
  }

 private:
  variables(const T* them, std::size_t count, const int* status, int comparison, const T* values,
            std::size_t step) noexcept
      : them_(them),
        count_(count),
        status_(status),
        comparison_(comparison),
        values_(values),
        step_(step) {}

  [[nodiscard]] bool counts(std::size_t i) const { return status_ == nullptr || status_[i] == 0; }
  [[nodiscard]] bool holds_at(std::size_t i) const {
    return holds(them_ + i, comparison_, values_[i * step_]);
  }

  const T* them_;
  std::size_t count_;
  const int* status_;
  int comparison_;
  const T* values_;
  std::size_t step_;
};

template <class T>
void wait_all(const char* routine, const variables<T>& these) {
  wait(routine, [&] { return these.all(); });
}
template <class T>
std::size_t wait_any(const char* routine, const variables<T>& these) {
  std::size_t found = SIZE_MAX;
  if (!these.is_empty()) wait(routine, [&] { return (found = these.any()) != SIZE_MAX; });
  return found;
}
template <class T>
std::size_t wait_some(const char* routine, const variables<T>& these, std::size_t* indices) {
  std::size_t found = 0;
  if (!these.is_empty()) wait(routine, [&] { return (found = these.some(indices)) != 0; });
  return found;
}
template <class T>
std::size_t test_any(const variables<T>& these) {
  std::size_t found = SIZE_MAX;
  if (!these.is_empty()) test([&] { return (found = these.any()) != SIZE_MAX; });
  return found;
}
template <class T>
std::size_t test_some(const variables<T>& these, std::size_t* indices) {
  std::size_t found = 0;
  if (!these.is_empty()) test([&] { return (found = these.some(indices)) != 0; });
  return found;
}

}  // namespace

namespace routine {
namespace {

template <class T>
void wait_until(const T* ivar, int cmp, T value) {
  wait("shmem_wait_until", [=] { return holds(ivar, cmp, value); });
}
template <class T>
int test(const T* ivar, int cmp, T value) {
  return shmem::test([=] { return holds(ivar, cmp, value); }) ? 1 : 0;
}

#define ACRE_SHMEM_OF_MANY(AFTER, VALUE)                                                       \
  template <class T>                                                                           \
  void wait_until_all##AFTER(const T* ivars, std::size_t nelems, const int* status, int cmp,   \
                             VALUE value) {                                                    \
    wait_all("shmem_wait_until_all" #AFTER, variables<T>(ivars, nelems, status, cmp, value));  \
  }                                                                                            \
  template <class T>                                                                           \
  std::size_t wait_until_any##AFTER(const T* ivars, std::size_t nelems, const int* status,     \
                                    int cmp, VALUE value) {                                    \
    return wait_any("shmem_wait_until_any" #AFTER,                                             \
                    variables<T>(ivars, nelems, status, cmp, value));                          \
  }                                                                                            \
  template <class T>                                                                           \
  std::size_t wait_until_some##AFTER(const T* ivars, std::size_t nelems, std::size_t* indices, \
                                     const int* status, int cmp, VALUE value) {                \
    return wait_some("shmem_wait_until_some" #AFTER,                                           \
                     variables<T>(ivars, nelems, status, cmp, value), indices);                \
  }                                                                                            \
  template <class T>                                                                           \
  int test_all##AFTER(const T* ivars, std::size_t nelems, const int* status, int cmp,          \
                      VALUE value) {                                                           \
    const variables<T> these(ivars, nelems, status, cmp, value);                               \
    return shmem::test([&] { return these.all(); }) ? 1 : 0;                                   \
  }                                                                                            \
  template <class T>                                                                           \
  std::size_t test_any##AFTER(const T* ivars, std::size_t nelems, const int* status, int cmp,  \
                              VALUE value) {                                                   \
    return shmem::test_any(variables<T>(ivars, nelems, status, cmp, value));                   \
  }                                                                                            \
  template <class T>                                                                           \
  std::size_t test_some##AFTER(const T* ivars, std::size_t nelems, std::size_t* indices,       \
                               const int* status, int cmp, VALUE value) {                      \
    return shmem::test_some(variables<T>(ivars, nelems, status, cmp, value), indices);         \
  }
ACRE_SHMEM_OF_MANY(, T)
ACRE_SHMEM_OF_MANY(_vector, const T*)

}  // namespace
}  // namespace routine
}  // namespace acre::shmem

using namespace acre::shmem;

#define ACRE_SHMEM_OLD_WAIT(NAME, TYPE, A)                                    \
  ACRE_SHMEM_DEFINE(void, NAME##_wait, (TYPE * ivar, TYPE cmp_value)) {       \
    ACRE_SHMEM_CHECK(NAME##_wait, its.symmetric_word("ivar", ivar))           \
    wait("shmem_wait", [=] { return holds(ivar, SHMEM_CMP_NE, cmp_value); }); \
  }

extern "C" {
ACRE_SHMEM_SYNC(ACRE_SHMEM_DEFINE_ONE)

ACRE_SHMEM_DEFINE(uint64_t, signal_fetch, (const uint64_t* sig_addr)) {
  ACRE_SHMEM_CHECK(signal_fetch, its.symmetric_word("sig_addr", sig_addr))
  return look(sig_addr);
}
ACRE_SHMEM_DEFINE(uint64_t, signal_wait_until, (uint64_t* sig_addr, int cmp, uint64_t cmp_value)) {
  ACRE_SHMEM_CHECK(signal_wait_until, its.symmetric_word("sig_addr", sig_addr); its.comparison(cmp))
  std::uint64_t seen = 0;
  wait("shmem_signal_wait_until", [&] {
    seen = look(sig_addr);
    return holds(&seen, cmp, cmp_value);
  });
  return seen;
}

ACRE_SHMEM_OLD_WAIT_TYPES(ACRE_SHMEM_OLD_WAIT, )
ACRE_SHMEM_DEFINE(void, wait, (long* ivar, long cmp_value)) { pshmem_long_wait(ivar, cmp_value); }
ACRE_SHMEM_DEFINE(void, wait_until, (long* ivar, int cmp, long cmp_value)) {
  pshmem_long_wait_until(ivar, cmp, cmp_value);
}
}
