// SPDX-License-Identifier: BSD-3-Clause
// Counts the k-mers of sequencing reads that occur twice or more; the others are mostly errors.
#include <acre/acre.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>

constexpr unsigned k = 15;

// Simulates a sequencer: short reads of a genome, with a wrong base in every tenth read.
template <class Push>
void read_genome(Push push) {
  std::mt19937 random(7);
  const auto draw = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  std::string genome(1000, 'A');
  for (char& base : genome) base = "ACGT"[draw(4)];
  for (int i = 0; i < 300; ++i) {
    std::string read = genome.substr(draw(950), 50);
    if (i % 10 == 0) read[25] = read[25] == 'A' ? 'C' : 'A';
    push(read);
  }
}

// Calls f with each k-mer of the read, two bits per base.
template <class F>
void for_each_kmer(const std::string& read, F f) {
  std::uint64_t kmer = 0;
  for (std::size_t i = 0; i < read.size(); ++i) {
    kmer = (kmer << 2 | std::string_view("ACGT").find(read[i])) & ((1ULL << 2 * k) - 1);
    if (i + 1 >= k) f(kmer);
  }
}

int main() {
  const acre::job job;
  acre::circular_queue<std::string> reads(acre::world(), acre::hosted_by{0}, 300);
  acre::bloom_filter<std::uint64_t> seen(acre::world(), 5000, 1e-6);
  acre::counting_map<std::uint64_t> again(acre::world(), 1 << 13);
  acre::array<unsigned> spectrum(acre::world(), 100);

  if (acre::rank() == 0) read_genome([&](const std::string& read) { reads.push(read); });
  acre::barrier();
  {
    acre::buffered writer(again, acre::counting);
    while (const auto read = reads.pop()) {  // each free rank takes the next one
      for_each_kmer(*read, [&](std::uint64_t kmer) {
        if (!seen.insert(kmer)) writer.add(kmer);  // not the first occurrence
      });
    }
  }  // the writer ends: this rank's k-mers are counted
  acre::barrier();  // those of all ranks are counted

  for (const auto& [kmer, times] : again.local()) {  // this rank's part of the map
    acre::atomic_add_nbi(spectrum.pointer(std::min<std::uint64_t>(times + 1, 99)), 1U);
  }
  const std::uint64_t different = again.size();  // collective: all ranks have counted
  if (acre::rank() == 0) {
    std::printf("%zu different k-mers occur twice or more\n", static_cast<std::size_t>(different));
    const auto peak = std::ranges::max_element(spectrum);
    std::printf("%u of them exactly %td times\n", static_cast<unsigned>(*peak),
                peak - spectrum.begin());
  }
  acre::barrier();  // rank 0 reads all parts of the spectrum
}
