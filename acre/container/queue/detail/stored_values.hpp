// SPDX-License-Identifier: BSD-3-Clause
// Stored forms of values being pushed or popped; their blocks are released unless given away.
#pragma once

#include <acre/global/team/stored.hpp>
#include <acre/runtime/completion.hpp>
#include <acre/runtime/remote.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace acre::container {

template <class T>
class owned_forms {
 public:
  owned_forms() = default;
  ~owned_forms() {
    if constexpr (is_separate<T>) {
      for (std::size_t i = first_; i < forms_.size(); ++i) stored_form<T>::release(forms_[i]);
    }
  }
  owned_forms(const owned_forms&) = delete;
  owned_forms& operator=(const owned_forms&) = delete;

  [[nodiscard]] const std::byte* bytes() const noexcept {
    return reinterpret_cast<const std::byte*>(forms_.data());
  }
  void give_away(std::size_t count) noexcept { first_ = count; }

 protected:
  std::vector<stored_t<T>> forms_;
  std::size_t first_ = 0;
};

template <class T>
class stored_values : public owned_forms<T> {
 public:
  explicit stored_values(std::span<const T> values) {
    this->forms_.reserve(values.size());
    for (const T& each : values) this->forms_.push_back(stored_form<T>::store(each));
  }
  [[nodiscard]] std::span<const stored_t<T>> get() const noexcept { return this->forms_; }
};

/// Received values, in blocks of this rank.
template <class T>
class stored_blocks : public owned_forms<T> {
 public:
  void add(std::span<const std::byte> bytes) {
    // First reserve memory: its failure must not leak the block.
    if (this->forms_.size() == this->forms_.capacity()) {
      this->forms_.reserve(2 * this->forms_.size() + 1);
    }
    std::byte* const block = stored_form<T>::allocate(bytes.size());
    if (!bytes.empty()) std::memcpy(block, bytes.data(), bytes.size());
    this->forms_.push_back(stored_form<T>::in_block(block, bytes.size()));
  }
};

/// Concurrent reads of blocks of another node, delivered in order.
class blocks_under_way {
 public:
  explicit blocks_under_way(const char* call) noexcept : call_(call) {}

  /// If 64 are in progress, calls take(bytes) for the oldest.
  /// @throws acre::error if the network is lost
  template <class Take>
  void add(std::uint64_t where, std::size_t bytes, Take&& take) {
    constexpr std::size_t most = 64;
    if (all_.size() == most) pop_oldest(take);
    all_.push_back({reading(bytes,
                            [=](fabric::operation& done, std::byte* copy) {
                              if (bytes == 0) return done.complete(done);
                              runtime::get_remote(where, copy, bytes, done);
                            }),
                    bytes});
  }
  template <class Take>
  void finish(Take&& take) {
    while (!all_.empty()) pop_oldest(take);
  }

 private:
  using reading = runtime::awaited<fabric::operation>;
  struct block {
    reading copy;
    std::size_t bytes;
  };

  template <class Take>
  void pop_oldest(Take& take) {
    const block oldest = std::move(all_.front());
    all_.erase(all_.begin());
    oldest.copy.wait(call_);
    take(std::span<const std::byte>(oldest.copy.room(), oldest.bytes));
  }

  const char* call_;
  std::vector<block> all_;
};

template <class T>
class popped_values : public owned_forms<T> {
 public:
  explicit popped_values(std::size_t room) {
    this->forms_.resize(room);
    this->first_ = room;
  }
  [[nodiscard]] std::byte* bytes() noexcept {
    return reinterpret_cast<std::byte*>(this->forms_.data());
  }
  [[nodiscard]] std::size_t room() const noexcept { return this->forms_.size(); }
  void set_count(std::size_t count) noexcept {
    this->forms_.resize(count);
    this->first_ = 0;
  }

  [[nodiscard]] bool empty() const noexcept { return this->first_ == this->forms_.size(); }
  /// @throws exceptions of deserialization; the value is lost
  [[nodiscard]] T take_front() {
    const stored_t<T> form = this->forms_[this->first_];
    const auto image = stored_form<T>::copy(form);
    ++this->first_;
    stored_form<T>::release(form);
    return stored_form<T>::load(image);
  }
};

}  // namespace acre::container
