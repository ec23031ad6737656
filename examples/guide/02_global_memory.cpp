// SPDX-License-Identifier: BSD-3-Clause
// A genome as a linked list whose pieces are distributed over all ranks.
#include <acre/acre.hpp>

#include <cstdio>
#include <string>
#include <string_view>

struct piece {
  char bases[8] = "";
  acre::global_ptr<piece> next;  // a piece on any rank
};

int main() {
  const acre::job job;
  constexpr std::string_view genome = "GATTACATACCGAGATTCAGGCTATTGCATGC";
  const std::size_t parts = genome.size() / 4;

  // Piece i is on rank i modulo size(), in that rank's private heap.
  acre::array<acre::global_ptr<piece>> where(acre::world(), parts);
  for (std::size_t i = acre::rank(); i < parts; i += acre::size()) {
    const acre::global_ptr<piece> made = acre::make_global<piece>();
    genome.copy(made.local()->bases, 4, 4 * i);  // own memory: a plain pointer
    acre::put(where.pointer(i), made);           // a global pointer is a plain value
  }
  acre::barrier();
  for (std::size_t i = acre::rank(); i + 1 < parts; i += acre::size()) {
    const acre::global_ptr<piece> mine = where[i];
    mine.local()->next = where[i + 1];
  }
  acre::barrier();

  if (acre::rank() == 0) {  // the other ranks take no part
    std::string text;
    std::size_t in_reach = 0;
    for (acre::global_ptr<piece> at = where[0]; at;) {
      const piece here = acre::get(at);  // reads from any rank
      text += here.bases;
      in_reach += at.is_local() ? 1 : 0;
      at = here.next;
    }
    std::printf("%s\n%zu of %zu pieces were in reach of a plain pointer\n", text.c_str(), in_reach,
                parts);
    // Reads one member of a remote object, without the rest of it.
    const auto second = acre::global_ptr<piece>(where[1]).member(&piece::next);
    std::printf("piece 1 is on rank %u, and followed by one on rank %u\n", second.rank(),
                acre::get(second).rank());
  }
  acre::barrier();  // no rank frees memory that rank 0 still reads
  for (std::size_t i = acre::rank(); i < parts; i += acre::size()) {
    acre::destroy_global(acre::global_ptr<piece>(where[i]));
  }
}
