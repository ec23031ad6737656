// SPDX-License-Identifier: BSD-3-Clause
// Batched puts or gets of elements of one size on other nodes.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/future/future.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::global {

/// Elements of one rank share messages. For one thread, used once.
class scattered_elements {
 public:
  enum class direction { get, put };

  scattered_elements(direction way, std::size_t element_bytes);

  [[nodiscard]] static bool is_for(std::size_t element_bytes);

  /// Values to put are copied at once; those to get arrive in finish().
  void add(std::uint64_t pointer_bits, std::byte* here);

  /// Moves all and waits. Cost: 2 M per message.
  /// @throws acre::error if the network is lost
  void finish(const char* call, const site& where);
  /// As finish(), without waiting for answers: the addresses passed to add() must stay valid until
  /// quiet().
  void finish_nbi(const char* call);
  /// As finish(), without waiting: those addresses must stay valid until the future is ready.
  [[nodiscard]] future<> finish_async(const char* call);

 private:
  struct batch {
    rank_t owner;
    std::vector<std::uint64_t> offsets;
    std::vector<std::byte*> places;
    std::vector<std::byte> values;
  };

  [[nodiscard]] batch& batch_of(rank_t owner);
  [[nodiscard]] std::vector<batch> take_all();

  direction way_;
  std::size_t element_bytes_;
  std::size_t most_elements_;
  std::vector<batch> open_;
  std::size_t last_ = 0;
  std::vector<batch> full_;
};

}  // namespace acre::global
