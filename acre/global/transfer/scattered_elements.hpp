// SPDX-License-Identifier: BSD-3-Clause
// Elements of one size that lie here and there in the memory of other nodes: those of one rank
// travel together, as many as a message carries, and that rank reads or writes them. One at a
// time each would be an operation of the provider's, which costs about as much as a message.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/future/future.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::global {

/// Collects what is to be read, or to be written, and then moves it. Used by one thread, once.
class scattered_elements {
 public:
  enum class direction { get, put };

  scattered_elements(direction way, std::size_t element_bytes);

  /// Whether elements of so many bytes should travel together; larger ones go one at a time.
  [[nodiscard]] static bool is_for(std::size_t element_bytes);

  /// An element of another node, and the place of its value here: values to be put are copied at
  /// once, those that are got are there after finish().
  void add(std::uint64_t pointer_bits, std::byte* here);

  /// Moves all, and waits for that. Cost: 2 M for each message.
  /// @throws acre::error when the network is lost
  void finish(const char* call, const site& where);
  /// The same without waiting: complete after quiet(), until when the places must live.
  void finish_nbi(const char* call);
  /// The same without waiting: the future is ready when all is done. The places must live until
  /// then.
  [[nodiscard]] future<> finish_async(const char* call);

 private:
  struct batch {
    rank_t owner;
    std::vector<std::uint64_t> offsets;
    std::vector<std::byte*> places;  ///< of what is got
    std::vector<std::byte> values;   ///< to be put
  };

  /// The one that takes an owner's next element.
  [[nodiscard]] batch& batch_of(rank_t owner);
  [[nodiscard]] std::vector<batch> take_all();

  direction way_;
  std::size_t element_bytes_;
  std::size_t most_elements_;  ///< of a message
  std::vector<batch> open_;    ///< in the order of their owners
  std::size_t last_ = 0;       ///< the one that was used last
  std::vector<batch> full_;
};

}  // namespace acre::global
