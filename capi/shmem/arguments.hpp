// SPDX-License-Identifier: BSD-3-Clause
// What can be wrong with the arguments of a call, looked at before the routine acts.
//
// Each member looks at one argument, or at a few that belong together. When they are not what
// OpenSHMEM asks for, the job ends with a line that names the routine, the argument, its value
// and what is allowed:
//
//     acre: rank 0 on node c0: shmem_int_put: pe is 4, but PEs are 0 to 3
//
// Names of arguments are those of the OpenSHMEM document.
#pragma once

#include "shmem.h"
#include <acre/global/team/team.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace acre::shmem {

class arguments {
 public:
  /// Fails outside shmem_init … shmem_finalize, and in a thread that may not call.
  /// @param routine as the program calls it
  explicit arguments(const char* routine);
  /// The same of a call that any thread may make.
  [[nodiscard]] static arguments of_any_thread(const char* routine);

  /// What elements of `size` bytes take, `stride` of them from one to the next.
  [[nodiscard]] std::size_t bytes(std::size_t nelems, std::size_t size,
                                  std::size_t stride = 1) const;
  /// What as much for each member takes.
  [[nodiscard]] std::size_t parts(std::size_t each, rank_t members) const;
  void stride(const char* name, std::ptrdiff_t stride, std::size_t nelems) const;

  void pe(int pe) const;
  void member(const char* name, int pe, const acre::team& members) const;

  /// The bytes of an object that is the same on all PEs: static data, or the symmetric heap.
  void symmetric(const char* name, const void* address, std::size_t bytes) const;
  /// Such an object of one element, at an address that is fit for it.
  template <class T>
  void symmetric_word(const char* name, const T* address) const {
    symmetric(name, address, sizeof(T));
    aligned(name, address, alignof(T));
  }
  /// The bytes of any object of this PE.
  void local(const char* name, const void* address, std::size_t bytes) const;

  /// Two objects that may have no byte in common, or may only be one and the same.
  void apart(const char* name, const void* object, std::size_t bytes, const char* other_name,
             const void* other, std::size_t other_bytes) const;
  void apart_or_same(const char* name, const void* object, const char* other_name,
                     const void* other, std::size_t bytes) const;

  void comparison(int cmp) const;
  void signal_operation(int sig_op) const;
  void alignment(std::size_t alignment) const;

  void context(shmem_ctx_t ctx) const;
  void context_or_invalid(shmem_ctx_t ctx) const;
  /// A PE of a context, which counts as its team does.
  void context(shmem_ctx_t ctx, int pe) const;
  void context_options(long options) const;
  void team_or_invalid(shmem_team_t team) const;
  void no_private_context(const acre_shmem_team& team) const;
  void config(const shmem_team_config_t* config, long mask) const;
  /// A team that this PE is in, of either kind.
  const acre::team& members(shmem_team_t team) const;
  const acre::team& members(const acre::team& active_set) const;
  void work_array(const char* name, const long* p_sync) const;

  /// Of a collective: what must be alike on all members. Of an object that is where it lies.
  struct shared {
    const char* name;
    std::uint64_t value;
    bool is_object = false;
    template <std::integral T>
    shared(const char* its_name, T its_value)
        : name(its_name), value(static_cast<std::uint64_t>(its_value)) {}
    /// Of no bytes it is any object.
    shared(const char* its_name, const void* symmetric_object, std::size_t bytes);
    [[nodiscard]] bool agrees_with(std::uint64_t other) const noexcept;
  };
  void alike(const acre::team& members, std::initializer_list<shared> what = {}) const;

  /// The same of a collective that may be asked for SHMEM_TEAM_INVALID.
  void alike_in(shmem_team_t team, std::initializer_list<shared> what) const;

  /// Says what is wrong, and ends the job.
  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  arguments() = default;
  void aligned(const char* name, const void* address, std::size_t alignment) const;
  const char* routine_ = nullptr;
};

}  // namespace acre::shmem
