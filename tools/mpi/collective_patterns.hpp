// SPDX-License-Identifier: BSD-3-Clause
// To whom one rank sends in a collective call, by the algorithm that is usual for it.
//
// MPI does not say how its implementations do it, and they choose by size and machine; these are
// the patterns that traffic is counted by. None of them knows MPI: each calls `send` with the
// ranks of the communicator that the rank at `place` sends to, in turn.
#pragma once

namespace acre::mpi {

/// One rank of a communicator; size is 0 where there is nothing to count.
struct seat {
  int rank;
  int size;
};

/// Whether it is a rank beside the one at `place`: MPI refuses other roots, and says so itself.
[[nodiscard]] inline bool has_rank(seat place, int rank) { return rank >= 0 && rank < place.size; }

/// Barrier: in round k to the rank 2^k further.
template <class Send>
void dissemination(seat place, Send send) {
  for (int step = 1; step < place.size; step *= 2) send((place.rank + step) % place.size);
}

/// Scan: in round k to the rank 2^k further, if there is one.
template <class Send>
void prefix_doubling(seat place, Send send) {
  for (int step = 1; place.rank + step < place.size; step *= 2) send(place.rank + step);
}

/// Broadcast: the binomial tree in which a rank's parent lacks the lowest bit of its distance
/// from the root.
template <class Send>
void binomial_children(seat place, int root, Send send) {
  if (!has_rank(place, root)) return;
  const int distance = (place.rank - root + place.size) % place.size;
  int step = 1;
  while (step < place.size && (distance & step) == 0) step *= 2;
  for (step /= 2; step > 0; step /= 2) {
    if (distance + step < place.size) send((place.rank + step) % place.size);
  }
}

/// Reduce: the same tree, from the leaves to the root.
template <class Send>
void binomial_parent(seat place, int root, Send send) {
  if (!has_rank(place, root) || place.rank == root) return;
  const int distance = (place.rank - root + place.size) % place.size;
  const int parent = distance & (distance - 1);
  send((parent + root) % place.size);
}

/// Allreduce: exchanges with the rank that differs in bit k. Where the size is no power of two,
/// the first ranks come in pairs: the even one hands its data to the odd one, and gets the result.
template <class Send>
void recursive_doubling(seat place, Send send) {
  int doubled = 1;
  while (doubled * 2 <= place.size) doubled *= 2;
  const int pairs = place.size - doubled;
  if (place.size == 0) return;
  const bool paired = place.rank < 2 * pairs;
  if (paired && place.rank % 2 == 0) return send(place.rank + 1);
  const int mine = paired ? place.rank / 2 : place.rank - pairs;
  for (int bit = 1; bit < doubled; bit *= 2) {
    const int other = mine ^ bit;
    send(other < pairs ? 2 * other + 1 : other + pairs);
  }
  if (paired) send(place.rank - 1);
}

/// Allgather: everything but the neighbour's own block goes on to the next rank, block by block.
/// `send` is given the rank and whose block it is.
template <class Send>
void ring(seat place, Send send) {
  const int next = place.rank + 1 == place.size ? 0 : place.rank + 1;
  for (int i = 0; i + 1 < place.size; ++i) {
    send(next, (place.rank - i + place.size) % place.size);
  }
}

/// Alltoall and its like: directly to each, the nearest first.
template <class Send>
void all_others(seat place, Send send) {
  for (int i = 1; i < place.size; ++i) send((place.rank + i) % place.size);
}

}  // namespace acre::mpi
