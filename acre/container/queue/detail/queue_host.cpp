#include <acre/container/queue/detail/queue_host.hpp>

#include <acre/base/error.hpp>
#include <acre/global/remote_call.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/memory.hpp>

#include <exception>
#include <string>

namespace acre::detail {
namespace {

void serve_free(std::span<const fabric::word> words, std::span<const std::byte>, call_answer&) {
  runtime::free_private_of(words[0]);
}

}  // namespace

remote_stage::~remote_stage() {
  if (bits_ == 0) return;
  try {
    run_remote_call(freed_by_, run_by::anyone, token_of<&serve_free>(), std::span(&bits_, 1), {},
                    {}, what_);
  } catch (...) {
    runtime::keep_lost_failure(std::current_exception());
  }
}

void throw_no_queue(const char* kind, const char* operation) {
  throw error(std::string(kind) + "::" + operation,
              "there is no queue: it was moved away, or never made",
              std::string("make one with ") + kind + "{team, host, capacity}");
}

void throw_not_host(const char* call, rank_t host) {
  throw error(call,
              "this is for the host, member " + std::to_string(host) + ", and not for this rank",
              "migrate() the queue to this rank, or guarantee less");
}

void throw_failed_migration(const char* call) {
  throw error(call, "the new host has no room for the values; nothing has changed",
              "its own message says more");
}

void throw_never_fits(const char* call, std::uint64_t values, std::uint64_t capacity) {
  throw error(call,
              std::to_string(values) + " values at once never fit a capacity of " +
                  std::to_string(capacity),
              "make the queue larger, or the span shorter");
}

void throw_too_few_places(const char* call, std::uint64_t values, std::uint64_t capacity) {
  throw error(call,
              "the queue holds " + std::to_string(values) +
                  " values, which do not fit a capacity of " + std::to_string(capacity) +
                  "; nothing has changed",
              "choose a larger capacity, or pop some first");
}

}  // namespace acre::detail
