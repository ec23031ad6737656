// SPDX-License-Identifier: BSD-3-Clause
// Vector, indexed and strided transfers: a counted put or get for each contiguous piece.
#include "failure.hpp"
#include "gasnet_vis.h"

#include <algorithm>
#include <cstddef>

namespace acre::gasnet {
namespace {

/// Pieces of memory, read as one sequence.
class pieces {
 public:
  pieces(std::size_t count, const gasnet_memvec_t* list) : list_(list), count_(count) {}
  pieces(std::size_t count, void* const* list, std::size_t length)
      : addresses_(list), length_(length), count_(count) {}

  /// Bytes from address() to the end of its piece; 0 at the end of the sequence.
  [[nodiscard]] std::size_t contiguous() {
    for (; index_ < count_ && used_ == length(); ++index_) used_ = 0;
    return index_ < count_ ? length() - used_ : 0;
  }
  [[nodiscard]] std::byte* address() const {
    void* const begin = list_ != nullptr ? list_[index_].addr : addresses_[index_];
    return static_cast<std::byte*>(begin) + used_;
  }
  void advance(std::size_t bytes) { used_ += bytes; }

 private:
  [[nodiscard]] std::size_t length() const {
    return list_ != nullptr ? list_[index_].len : length_;
  }

  const gasnet_memvec_t* list_ = nullptr;
  void* const* addresses_ = nullptr;
  std::size_t length_ = 0;
  std::size_t count_;
  std::size_t index_ = 0;
  std::size_t used_ = 0;
};

/// Calls one(destination, source, bytes) for each contiguous piece.
template <class One>
void for_each_piece(const char* call, pieces to, pieces from, One&& one) {
  for (;;) {
    const std::size_t there = to.contiguous();
    const std::size_t here = from.contiguous();
    if ((there == 0) != (here == 0))
      fail(call, "the lists of source and destination differ in total bytes");
    const std::size_t bytes = std::min(there, here);
    if (bytes == 0) return;
    one(to.address(), from.address(), bytes);
    to.advance(bytes);
    from.advance(bytes);
  }
}

struct strided_box {
  const std::size_t* to_strides;
  const std::size_t* from_strides;
  const std::size_t* count;
  std::size_t levels;
};

template <class One>
void for_each_row(const strided_box& all, std::size_t level, std::byte* to, std::byte* from,
                  std::size_t bytes, One&& one) {
  if (level == 0) return one(to, from, bytes);
  const std::size_t to_stride = all.to_strides[level - 1];
  const std::size_t from_stride = all.from_strides[level - 1];
  for (std::size_t i = 0; i < all.count[level]; ++i) {
    for_each_row(all, level - 1, to + i * to_stride, from + i * from_stride, bytes, one);
  }
}
template <class One>
void for_each_row(strided_box all, void* to, void* from, One&& one) {
  std::size_t bytes = all.count[0];
  // Inner levels without gaps on both sides are one piece.
  while (all.levels != 0 && all.to_strides[0] == bytes && all.from_strides[0] == bytes) {
    bytes *= all.count[1];
    all = {all.to_strides + 1, all.from_strides + 1, all.count + 1, all.levels - 1};
  }
  if (bytes == 0) return;
  for_each_row(all, all.levels, static_cast<std::byte*>(to), static_cast<std::byte*>(from), bytes,
               one);
}

auto puts_to(gasnet_node_t node) {
  return [node](void* to, const void* from, std::size_t bytes) {
    gasnet_put_nbi_bulk(node, to, from, bytes);
  };
}
auto gets_from(gasnet_node_t node) {
  return [node](void* to, const void* from, std::size_t bytes) {
    gasnet_get_nbi_bulk(to, node, from, bytes);
  };
}

}  // namespace
}  // namespace acre::gasnet

using namespace acre::gasnet;

#define ACRE_GASNET_VIS_DEFINE(RESULT, FORM, END)                                                  \
  RESULT gasnet_putv##FORM(gasnet_node_t dstnode, size_t dstcount, gasnet_memvec_t const* dstlist, \
                           size_t srccount, gasnet_memvec_t const* srclist) {                      \
    for_each_piece("gasnet_putv" #FORM, {dstcount, dstlist}, {srccount, srclist},                  \
                   puts_to(dstnode));                                                              \
    END;                                                                                           \
  }                                                                                                \
  RESULT gasnet_getv##FORM(size_t dstcount, gasnet_memvec_t const* dstlist, gasnet_node_t srcnode, \
                           size_t srccount, gasnet_memvec_t const* srclist) {                      \
    for_each_piece("gasnet_getv" #FORM, {dstcount, dstlist}, {srccount, srclist},                  \
                   gets_from(srcnode));                                                            \
    END;                                                                                           \
  }                                                                                                \
  RESULT gasnet_puti##FORM(gasnet_node_t dstnode, size_t dstcount, void* const* dstlist,           \
                           size_t dstlen, size_t srccount, void* const* srclist, size_t srclen) {  \
    for_each_piece("gasnet_puti" #FORM, {dstcount, dstlist, dstlen}, {srccount, srclist, srclen},  \
                   puts_to(dstnode));                                                              \
    END;                                                                                           \
  }                                                                                                \
  RESULT gasnet_geti##FORM(size_t dstcount, void* const* dstlist, size_t dstlen,                   \
                           gasnet_node_t srcnode, size_t srccount, void* const* srclist,           \
                           size_t srclen) {                                                        \
    for_each_piece("gasnet_geti" #FORM, {dstcount, dstlist, dstlen}, {srccount, srclist, srclen},  \
                   gets_from(srcnode));                                                            \
    END;                                                                                           \
  }                                                                                                \
  RESULT gasnet_puts##FORM(gasnet_node_t dstnode, void* dstaddr, const size_t* dststrides,         \
                           void* srcaddr, const size_t* srcstrides, const size_t* count,           \
                           size_t stridelevels) {                                                  \
    for_each_row({dststrides, srcstrides, count, stridelevels}, dstaddr, srcaddr,                  \
                 puts_to(dstnode));                                                                \
    END;                                                                                           \
  }                                                                                                \
  RESULT gasnet_gets##FORM(void* dstaddr, const size_t* dststrides, gasnet_node_t srcnode,         \
                           void* srcaddr, const size_t* srcstrides, const size_t* count,           \
                           size_t stridelevels) {                                                  \
    for_each_row({dststrides, srcstrides, count, stridelevels}, dstaddr, srcaddr,                  \
                 gets_from(srcnode));                                                              \
    END;                                                                                           \
  }

extern "C" {

ACRE_GASNET_VIS_DEFINE(void, _bulk, gasnet_wait_syncnbi_all())
ACRE_GASNET_VIS_DEFINE(gasnet_handle_t, _nb_bulk, return gasnet_end_nbi_accessregion())
ACRE_GASNET_VIS_DEFINE(void, _nbi_bulk, )
}
