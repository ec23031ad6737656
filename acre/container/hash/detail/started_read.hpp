// SPDX-License-Identifier: BSD-3-Clause
// An asynchronous find by a get (bucket_reads.hpp). Rarely a message to the owner ends the search.
#pragma once

#include <acre/base/plain_buffer.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_services.hpp>
#include <acre/container/hash/growth.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/memory/future_put_get.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/global/wire/owned_hash.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::container {

/// Lives until the search has ended; runs in calls of the rank that started it.
/// @tparam Counted  counts the operations under way while it lives
template <class Parts, class Convert, class Counted>
class started_read {
  using K = typename Parts::part::key_type;
  using V = typename Parts::part::mapped_type;
  using reads = typename Parts::reads;
  using value = std::invoke_result_t<Convert&, met<V>&&>;

 public:
  started_read(const Parts& parts, const global::owned_hash& at, phase_entry now, const K& key,
               const char* call, Convert convert, Counted counted)
      : parts_(&parts),
        at_(at),
        now_(now),
        key_(key),
        call_(call),
        convert_(std::move(convert)),
        counted_(std::move(counted)),
        from_(parts.reads_of(at.owner, call)),
        buckets_(from_.count_at(from_.home(at.fraction))) {}

  /// The future of convert(met).
  [[nodiscard]] future<value> start() && {
    const auto source = global_ptr<std::byte>::from_bits(from_.bits_of(from_.home(at_.fraction)));
    const std::span<std::byte> copy = std::as_writable_bytes(buckets_.span());
    return get_async(source, copy).then([self = std::move(*this)]() mutable {
      return self.search();
    });
  }

 private:
  [[nodiscard]] future<value> search() {
    auto position = from_.home(at_.fraction);
    met<V> result{outcome::absent};
    result.what = from_.search(position, buckets_.data(), &result.value, key_, at_.fraction);
    if (result.what == outcome::found ||
        (position.is_at_end() && parts_->grows() == growth::manual)) {
      return make_ready_future(convert_(std::move(result)));
    }
    using service = key_service<find_operation<V>, typename Parts::part>;
    return at_owner::ask_with_async<service>(
        parts_->world_rank(at_.owner), parts_->request_words(at_, now_), call_,
        [convert = std::move(convert_), counted = std::move(counted_)](
            at_owner::answered&& answer) mutable { return convert(met_of<V>(answer)); },
        key_);
  }

  const Parts* parts_;
  global::owned_hash at_;
  phase_entry now_;
  K key_;
  const char* call_;
  Convert convert_;
  Counted counted_;
  reads from_;
  base::plain_buffer<typename reads::bucket_type> buckets_;
};

}  // namespace acre::container
