// SPDX-License-Identifier: BSD-3-Clause
#include <acre/block/detail/factor_reading.hpp>

#include <acre/block/for_block_elements.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/memory/quiet_on_failure.hpp>

#include <algorithm>
#include <utility>

namespace acre::block_matrices {

template <class T>
factor_reading<T>::factor_reading(std::shared_ptr<const blocks_of_others> theirs,
                                  const block_distribution& lies, factor_side side,
                                  const block_numbers& outer, const block_numbers& inner)
    : theirs_(std::move(theirs)) {
  std::size_t most = 0;
  for (const auto& part : theirs_->parts()) most += part.index.size();
  blocks_.reserve(most);
  sources_.reserve(most);
  for (std::size_t part = 0; part < theirs_->parts().size(); ++part) {
    add(part, outer, inner, side, lies);
  }
}

template <class T>
void factor_reading<T>::add(std::size_t part, const block_numbers& outer,
                            const block_numbers& inner, factor_side side,
                            const block_distribution& lies) {
  const auto& from = theirs_->parts()[part];
  const auto* const here = reinterpret_cast<const T*>(from.here);
  for (const block_entry& each : from.index) {
    const bool is_left = side == factor_side::left;
    const std::uint32_t of_outer = outer[is_left ? each.row : each.column];
    const std::uint32_t of_inner = inner[is_left ? each.column : each.row];
    if (of_outer == block_numbers::none || of_inner == block_numbers::none) continue;
    blocks_.push_back(
        {of_outer, of_inner, each.norm, here == nullptr ? nullptr : here + each.offset});
    sources_.push_back({static_cast<std::uint32_t>(part),
                        lies.rows().size_of(each.row) * lies.columns().size_of(each.column),
                        each.offset});
  }
}

template <class T>
std::vector<double> factor_reading<T>::largest_norms(std::size_t inners) const {
  std::vector<double> largest(inners, -1);
  for (const factor_block<T>& each : blocks_) {
    // NaN passes every filter.
    if (!(each.norm <= largest[each.inner])) largest[each.inner] = each.norm;
  }
  return largest;
}

template <class T>
void factor_reading<T>::leave_out(std::span<const double> of_other, double filter) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const double other = of_other[blocks_[i].inner];
    if (other == -1 || blocks_[i].norm * other < filter) continue;
    blocks_[kept] = blocks_[i];
    sources_[kept] = sources_[i];
    ++kept;
  }
  blocks_.resize(kept);
  sources_.resize(kept);
}

template <class T>
std::vector<std::size_t> factor_reading<T>::bytes_to_read(std::size_t inners) const {
  std::vector<std::size_t> bytes(inners);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].values == nullptr) bytes[blocks_[i].inner] += sources_[i].elements * sizeof(T);
  }
  return bytes;
}

template <class T>
typename factor_reading<T>::arrivals factor_reading<T>::begin_reading(inner_range which,
                                                                      const site& where) {
  arrivals made;
  const global::quiet_on_failure reads_end;
  std::vector<wanted_block> wanted;
  const auto is_in = [&](const factor_block<T>& each) {
    return each.inner >= which.first && each.inner < which.last;
  };
  made.blocks.reserve(static_cast<std::size_t>(std::ranges::count_if(blocks_, is_in)));
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!is_in(blocks_[i])) continue;
    if (blocks_[i].values == nullptr) wanted.push_back({made.blocks.size(), sources_[i]});
    made.blocks.push_back(blocks_[i]);
  }
  read(wanted, made, where);
  return made;
}

template <class T>
void factor_reading<T>::read(std::vector<wanted_block>& wanted, arrivals& made, const site& where) {
  std::ranges::sort(wanted, {}, [](const wanted_block& each) {
    return std::pair(each.from.part, each.from.offset);
  });
  std::size_t elements = 0;
  for (const wanted_block& each : wanted) elements += each.from.elements;
  made.elements = base::scratch<T>(elements);
  bytes_read_ += elements * sizeof(T);
  T* next = made.elements.get();
  for (std::size_t i = 0; i < wanted.size();) {
    const source run = wanted[i].from;
    std::size_t length = 0;
    for (; i < wanted.size() && wanted[i].from.part == run.part &&
           wanted[i].from.offset == run.offset + length;
         ++i) {
      made.blocks[wanted[i].number].values = next + length;
      length += wanted[i].from.elements;
    }
    get_nbi(global_ptr<const T>::from_bits(theirs_->parts()[run.part].data) +
                static_cast<std::ptrdiff_t>(run.offset),
            std::span(next, length), where);
    next += length;
  }
}

#define ACRE_INSTANTIATE(T) template class factor_reading<T>;
ACRE_FOR_BLOCK_ELEMENTS(ACRE_INSTANTIATE)
#undef ACRE_INSTANTIATE

}  // namespace acre::block_matrices
