// SPDX-License-Identifier: BSD-3-Clause
// Sensors join a station by references to themselves; it is copied. A journal has urgent calls.
#include <acre/objects.hpp>

#include <cstddef>
#include <cstdio>
#include <tuple>
#include <vector>

struct sensor;

struct station {
  void add(const acre::object_ref<sensor>& joined) { sensors.push_back(joined); }
  void close() { sensors.clear(); }
  std::size_t count() const { return sensors.size(); }
  std::vector<acre::object_ref<sensor>> sensors;
  friend auto acre_fields(station& s) { return std::tie(s.sensors); }
};

struct sensor {
  void join(const acre::object_ref<station>& to) {
    acre::invoke_ff(to, &station::add, acre::this_ref<sensor>());
  }
  int readings = 0;
  friend auto acre_fields(sensor& s) { return std::tie(s.readings); }
};

struct journal {
  explicit journal(int first) : lines{first} {}
  void add(int line) { lines.push_back(line); }
  void add_in_order() {
    const auto self = acre::this_id<journal>();
    for (int line : {2, 0, 1}) {
      static_cast<void>(acre::invoke_prioritised(line, self, &journal::add, line));
    }
  }  // the calls begin later, the lowest number first
  std::vector<int> lines;
};

int main() {
  const acre::job job;
  if (acre::rank() == 0) {
    const auto all = acre::create<station>(1 % acre::size()).get();
    for (acre::rank_t r = 0; r < acre::size(); ++r) {
      const auto made = acre::create<sensor>(r).get();
      acre::invoke_ff(made, &sensor::join, all);
    }  // the station refers to the sensors
    acre::quiescence().get();  // all have joined

    static_cast<void>(acre::migrate(all, acre::size() - 1));
    const auto notes = acre::create_near<journal>(all, 7).get();
    const auto before = acre::create_copy(all).get();
    acre::invoke(all, &station::close).get();
    std::printf("the station on rank %u has %zu sensors, its copy on rank %u has %zu\n",
                acre::where(all).get(), acre::invoke(all, &station::count).get(),
                acre::where(before).get(), acre::invoke(before, &station::count).get());
    acre::invoke(notes, &journal::add_in_order).get();
    acre::quiescence().get();
    std::printf("the journal is on rank %u, its lines are", acre::where(notes).get());
    for (int line : acre::invoke(notes, &journal::lines).get()) std::printf(" %d", line);
    std::puts("");
  }
}
