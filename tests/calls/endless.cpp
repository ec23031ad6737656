// SPDX-License-Identifier: BSD-3-Clause
// Jobs that end with work left: endless RPC chains, calls for a missing object, futures never
// ready, items in static containers, a pinned object.
//
//     calls-endless drain|end|object-drain|object-end|future-drain
//     calls-endless distributor|writer|reader|empty
//     calls-endless pin
#include <acre/agas/object_id.hpp>
#include <acre/container/distributor.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/finding.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/global/rpc/dist_object.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/drain.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

namespace {

void again() { acre::rpc_ff(acre::rank(), again); }

std::optional<acre::dist_object<int>> call_for_object() {
  std::optional<acre::dist_object<int>> object;
  if (acre::rank() != 1) {
    object.emplace(acre::world(), 0);
    for (acre::rank_t i = 0; i <= acre::rank(); ++i) {
      acre::rpc_ff(1, [](acre::dist_object<int>& mine) { ++*mine; }, *object);
    }
    acre::rpc(1, [] {}).get();  // the calls have arrived
  }
  acre::barrier();
  return object;
}

using table = acre::hash_map<std::uint64_t, std::uint64_t>;
constexpr auto count_answers = [](std::uint64_t, const std::optional<std::uint64_t>&) {};
using reading = decltype(acre::finding(count_answers));

std::optional<acre::distributor<int>> kept_distributor;
std::optional<table> kept_map;
std::optional<acre::buffered<table, acre::counting_rule>> kept_writer;
std::optional<acre::buffered<table, reading>> kept_reader;

void leave_items(std::string_view place) {
  kept_distributor.emplace(acre::world());
  kept_map.emplace(acre::world(), 100);
  kept_writer.emplace(*kept_map, acre::counting);
  kept_reader.emplace(*kept_map, acre::finding(count_answers));
  const int items = acre::rank() == acre::size() - 1 ? 3 : 0;
  for (int i = 0; i < items; ++i) {
    if (place == "distributor") kept_distributor->push(0, i);
    if (place == "writer") kept_writer->add(static_cast<std::uint64_t>(i));
    if (place == "reader") kept_reader->find(static_cast<std::uint64_t>(i));
  }
}

struct cell {
  int value = 0;
  friend auto acre_fields(cell& c) { return std::tie(c.value); }
};

void end_while_pinned(std::optional<acre::pinned<cell>>& pin) {
  acre::object_id<cell> object;
  if (acre::rank() == 0) object = acre::create_id_here<cell>();
  object = acre::world().broadcast(object, 0);
  if (acre::rank() == 0) pin.emplace(object);
  acre::barrier();
  if (acre::rank() == acre::size() - 1) static_cast<void>(acre::destroy(object));
}

}  // namespace

int main(int, char** argv) {
  std::optional<acre::pinned<cell>> pin;  // outlives the job
  const acre::job job;
  const std::string_view place(argv[1]);
  if (place == "pin") {
    end_while_pinned(pin);
    return 0;
  }
  if (place == "distributor" || place == "writer" || place == "reader" || place == "empty") {
    leave_items(place);
    return 0;
  }
  std::optional<acre::dist_object<int>> object;
  if (place.starts_with("object")) {
    object = call_for_object();
  } else if (place.starts_with("future")) {
    static acre::promise<> never;
    if (acre::rank() == 0) acre::rpc_ff(1, [] { return never.get_future(); });
  } else if (acre::rank() == 1) {
    again();
  }
  if (place.ends_with("drain")) acre::drain();
  return 0;
}
