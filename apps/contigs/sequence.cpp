// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/sequence.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace acre::contigs {
namespace {

std::string unroll(std::string_view circle, std::size_t begin, std::size_t length) {
  std::string letters;
  letters.reserve(length);
  while (letters.size() < length) {
    const std::string_view part = circle.substr(begin, length - letters.size());
    letters += part;
    begin = 0;
  }
  return letters;
}

}  // namespace

std::string reverse_complement(std::string_view letters) {
  std::string reversed(letters.size(), ' ');
  std::transform(letters.rbegin(), letters.rend(), reversed.begin(),
                 [](char letter) { return "TGCA"[genome::base_code(letter) & 3]; });
  return reversed;
}

std::string canonical_line(std::string letters) {
  std::string reversed = reverse_complement(letters);
  return reversed < letters ? reversed : letters;
}

template <std::size_t Words>
std::string canonical_circle(std::string_view circle, unsigned k) {
  using genome::kmer;
  const std::size_t length = circle.size() + k - 1;
  const std::string once = unroll(circle, 0, length);
  kmer<Words> smallest(~typename kmer<Words>::bits{0});
  std::size_t begin = 0;
  bool forward = true;
  genome::for_each_kmer<Words>(
      once, k, [&](const kmer<Words>& there, const kmer<Words>& back, std::size_t position) {
        if (std::min(there, back) < smallest) {
          smallest = std::min(there, back);
          begin = position;
          forward = there <= back;
        }
      });
  if (forward) return unroll(circle, begin, length);
  // These letters end with the reverse complement of `smallest`, so their own starts with it.
  return reverse_complement(unroll(circle, (begin + 1) % circle.size(), length));
}

template std::string canonical_circle<1>(std::string_view, unsigned);
template std::string canonical_circle<2>(std::string_view, unsigned);

}  // namespace acre::contigs
