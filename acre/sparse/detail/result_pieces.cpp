#include <acre/sparse/detail/result_pieces.hpp>

#include <acre/base/bits.hpp>

#include <new>
#include <sys/mman.h>

namespace acre::detail {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

piece_memory::piece_memory(std::size_t bytes) : data_(nullptr), bytes_(round_up(bytes, huge_page)) {
  data_ = static_cast<std::byte*>(::operator new(bytes_, std::align_val_t{huge_page}));
  ::madvise(data_, bytes_, MADV_HUGEPAGE);  // a wish
}

piece_memory::~piece_memory() { ::operator delete(data_, std::align_val_t{huge_page}); }

}  // namespace acre::detail
