// SPDX-License-Identifier: BSD-3-Clause
// Receivers in collective calls by the usual algorithms; implementations vary. `send` gets ranks of
// the communicator.
#pragma once

namespace acre::mpi {

/// Size 0: not counted.
struct seat {
  int rank;
  int size;
};

/// False for an invalid root, which MPI reports.
[[nodiscard]] inline bool has_rank(seat place, int rank) { return rank >= 0 && rank < place.size; }

/// Barrier: to rank + 2^k, cyclic.
template <class Send>
void dissemination(seat place, Send send) {
  for (int step = 1; step < place.size; step *= 2) send((place.rank + step) % place.size);
}

/// Scan: to rank + 2^k, if it exists.
template <class Send>
void prefix_doubling(seat place, Send send) {
  for (int step = 1; place.rank + step < place.size; step *= 2) send(place.rank + step);
}

/// Broadcast: binomial tree; the parent's distance to the root is the rank's without its lowest
/// bit.
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

/// Reduce: the reverse tree.
template <class Send>
void binomial_parent(seat place, int root, Send send) {
  if (!has_rank(place, root) || place.rank == root) return;
  const int distance = (place.rank - root + place.size) % place.size;
  const int parent = distance & (distance - 1);
  send((parent + root) % place.size);
}

/// Allreduce: with the rank that differs in bit k. Without a power of two, even ranks of leading
/// pairs send to the odd ones and receive the result.
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

/// Allgather: forwards blocks to the next rank.
/// @param send receives target and block owner
template <class Send>
void ring(seat place, Send send) {
  const int next = place.rank + 1 == place.size ? 0 : place.rank + 1;
  for (int i = 0; i + 1 < place.size; ++i) {
    send(next, (place.rank - i + place.size) % place.size);
  }
}

/// Alltoall: nearest first.
template <class Send>
void all_others(seat place, Send send) {
  for (int i = 1; i < place.size; ++i) send((place.rank + i) % place.size);
}

}  // namespace acre::mpi
