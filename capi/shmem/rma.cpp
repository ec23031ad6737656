// SPDX-License-Identifier: BSD-3-Clause
// Remote memory access of every type and size, and puts with a signal.
//
// Each routine is one template in acre::shmem::routine. The macros at the end of this file expand
// the lists in shmem_families.h and shmem_types.h, for `p` and `int` to
//
//     void shmem_int_p(int* dest, int value, int pe) __attribute__((weak, alias("pshmem_int_p")));
//     void pshmem_int_p(int* dest, int value, int pe) {
//       // acre-shmem-checked: argument checks
//       return acre::shmem::routine::p<int>(dest, value, pe);
//     }
#include "families.hpp"
#include "signal.hpp"
#include "transfer.hpp"

namespace acre::shmem::routine {
namespace {

template <class Element>
void put(void* dest, const void* from, std::size_t nelems, int pe) {
  shmem::put<source::free_at_return>(dest, from, nelems * sizeof(Element), pe);
}
template <class Element>
void put_nbi(void* dest, const void* from, std::size_t nelems, int pe) {
  shmem::put<source::busy_until_quiet>(dest, from, nelems * sizeof(Element), pe);
}
template <class Element>
void get(void* dest, const void* from, std::size_t nelems, int pe) {
  shmem::get(dest, from, nelems * sizeof(Element), pe);
}
template <class Element>
void get_nbi(void* dest, const void* from, std::size_t nelems, int pe) {
  shmem::get_nbi(dest, from, nelems * sizeof(Element), pe);
}

template <class Element>
void put_signal(void* dest, const void* from, std::size_t nelems, std::uint64_t* address,
                std::uint64_t signal, int operation, int pe) {
  shmem::put_signal<source::free_at_return>(dest, from, nelems * sizeof(Element), address, signal,
                                            operation, pe);
}
template <class Element>
void put_signal_nbi(void* dest, const void* from, std::size_t nelems, std::uint64_t* address,
                    std::uint64_t signal, int operation, int pe) {
  shmem::put_signal<source::busy_until_quiet>(dest, from, nelems * sizeof(Element), address, signal,
                                              operation, pe);
}

template <class Element>
void iput(void* dest, const void* from, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems,
          int pe) {
  strides(sizeof(Element), dst, sst, nelems).put(dest, from, pe);
}
template <class Element>
void iget(void* dest, const void* from, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems,
          int pe) {
  strides(sizeof(Element), dst, sst, nelems).get(dest, from, pe);
}

template <class T>
[[gnu::always_inline]] inline void p(T* dest, T value, int pe) {
  put_one(dest, value, pe);
}
template <class T>
[[gnu::always_inline]] inline T g(const T* from, int pe) {
  return get_one(from, pe);
}

}  // namespace
}  // namespace acre::shmem::routine

extern "C" {
ACRE_SHMEM_RMA(ACRE_SHMEM_DEFINE_WITH_CTX)
}
