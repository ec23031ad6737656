// SPDX-License-Identifier: BSD-3-Clause
// An index of a genome, as a hash map by RPC: the positions of each k-mer.
#include <acre/acre.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

using places = std::vector<std::size_t>;

class kmer_index {
  using part = std::unordered_map<std::string, places>;

 public:
  acre::future<> add(const std::string& kmer, std::size_t place) {
    return acre::rpc(
        home_of(kmer),
        [](acre::dist_object<part>& mine, const std::string& key, std::size_t where) {
          (*mine)[key].push_back(where);  // the part of the rank that runs this function
        },
        parts_, kmer, place);
  }

  acre::future<places> find(const std::string& kmer) const {
    return acre::rpc(
        home_of(kmer),
        [](const acre::dist_object<part>& mine, const std::string& key) {
          const auto found = mine->find(key);
          return found == mine->end() ? places() : found->second;
        },
        parts_, kmer);
  }

  std::size_t local_size() const { return parts_->size(); }

 private:
  static acre::rank_t home_of(const std::string& kmer) {
    return static_cast<acre::rank_t>(acre::hash<std::string>{}(kmer) % acre::size());
  }

  acre::dist_object<part> parts_{acre::world()};  // one object on each rank, with a common name
};

int main() {
  const acre::job job;
  constexpr std::string_view genome = "GATTACATACCGAGATTCAGGCTATTGCATGC";
  constexpr std::size_t k = 3;

  kmer_index index;
  std::vector<acre::future<>> added;
  for (std::size_t i = acre::rank(); i + k <= genome.size(); i += acre::size()) {
    added.push_back(index.add(std::string(genome.substr(i, k)), i));
  }
  acre::when_all(std::move(added)).get();  // this rank's k-mers are in the index
  acre::barrier();                         // those of all ranks are

  const std::size_t different = acre::world().allreduce(index.local_size());
  if (acre::rank() == 0) {
    std::printf("%zu different k-mers\n", different);
    for (const char* kmer : {"ATT", "CAT", "GGG"}) {
      places found = index.find(kmer).get();
      std::ranges::sort(found);  // they arrived in any order
      std::printf("%s:", kmer);
      for (const std::size_t place : found) std::printf(" %zu", place);
      std::printf("\n");
    }
  }
  acre::barrier();  // other ranks may still read this part
}
