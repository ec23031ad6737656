// SPDX-License-Identifier: BSD-3-Clause
// Reads or writes contiguous runs; short runs share messages
// (global/transfer/scattered_elements.hpp).
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/transfer/scattered_elements.hpp>
#include <acre/runtime/memory.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

namespace acre::algorithm {

template <class T, global::scattered_elements::direction Way>
class run_transfer {
  static constexpr bool reads = Way == global::scattered_elements::direction::get;
  static constexpr std::size_t short_run = 16;
  static constexpr std::size_t at_once = std::size_t{1} << 16;

 public:
  using pointer = global_ptr<std::conditional_t<reads, const T, T>>;
  using span = std::span<std::conditional_t<reads, T, const T>>;

  /// Complete after finish() and quiet(). `here` must stay until then, except short runs to write.
  void add(pointer there, span here, const site& where) {
    if (here.size() > short_run || runtime::direct_address(there.bits()) ||
        !global::scattered_elements::is_for(sizeof(T))) {
      if constexpr (reads) {
        get_nbi(there, here, where);
      } else {
        put_nbi(there, here, where);
      }
      return;
    }
    if (!elements_) elements_.emplace(Way, sizeof(T));
    for (auto& element : here) {
      elements_->add((there + (&element - here.data())).bits(),
                     reinterpret_cast<std::byte*>(const_cast<T*>(&element)));
    }
    under_way_ += here.size();
    if (under_way_ >= at_once) finish("copy");
  }
  void finish(const char* call) {
    if (under_way_ == 0) return;
    elements_->finish_nbi(call);
    under_way_ = 0;
  }

 private:
  std::optional<global::scattered_elements> elements_;
  std::size_t under_way_ = 0;
};
template <class T>
using run_reads = run_transfer<T, global::scattered_elements::direction::get>;
template <class T>
using run_writes = run_transfer<T, global::scattered_elements::direction::put>;

}  // namespace acre::algorithm
