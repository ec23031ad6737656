#include <acre/array/detail/strided_copy.hpp>

#include <cstring>

namespace acre::detail {
namespace {

/// A line of short runs, which are single moves.
template <class Word>
void copy_words(std::byte* to, const std::byte* from, std::size_t count, std::size_t to_step,
                std::size_t from_step) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to, from, sizeof(Word));
    to += to_step;
    from += from_step;
  }
}

struct two_words {
  std::uint64_t words[2];
};

void copy_line(std::byte* to, const std::byte* from, std::size_t run, std::size_t count,
               std::size_t to_step, std::size_t from_step) noexcept {
  if (run == 8) return copy_words<std::uint64_t>(to, from, count, to_step, from_step);
  if (run == 4) return copy_words<std::uint32_t>(to, from, count, to_step, from_step);
  if (run == 16) return copy_words<two_words>(to, from, count, to_step, from_step);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to, from, run);
    to += to_step;
    from += from_step;
  }
}

}  // namespace

strided_copy::strided_copy(std::size_t size, std::span<const std::size_t> extents,
                           std::span<const std::size_t> to,
                           std::span<const std::size_t> from) noexcept
    : bytes_(size), run_(size) {
  // The dimension that is fastest at the target comes first, whatever the order of the arrays.
  const bool is_by_columns = to.front() < to.back();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t d = is_by_columns ? i : extents.size() - 1 - i;
    bytes_ *= extents[d];
    if (extents[d] == 1) continue;
    const dimension next{extents[d], to[d] * size, from[d] * size};
    if (used_ == 0 && next.to == run_ && next.from == run_) {
      run_ *= next.count;
      continue;
    }
    if (used_ != 0) {
      dimension& last = dimensions_[used_ - 1];
      if (next.to == last.to * last.count && next.from == last.from * last.count) {
        last.count *= next.count;
        continue;
      }
    }
    dimensions_[used_++] = next;
  }
}

void strided_copy::operator()(std::byte* to, const std::byte* from) const noexcept {
  const dimension fastest = dimensions_[0];
  std::array<std::size_t, most_dimensions> index{};
  for (;;) {
    copy_line(to, from, run_, fastest.count, fastest.to, fastest.from);
    std::size_t d = 1;
    for (; d < used_; ++d) {
      to += dimensions_[d].to;
      from += dimensions_[d].from;
      if (++index[d] < dimensions_[d].count) break;
      index[d] = 0;
      to -= dimensions_[d].to * dimensions_[d].count;
      from -= dimensions_[d].from * dimensions_[d].count;
    }
    if (d >= used_) return;
  }
}

}  // namespace acre::detail
