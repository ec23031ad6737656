// SPDX-License-Identifier: BSD-3-Clause
// Output of a simulation: steps and a checkpoint in one file, read again by fewer ranks.
#include <acre/arrays.hpp>
#include <acre/matrix_files/hdf5/hdf5.hpp>

#include <cstdio>
#include <string>
#include <unistd.h>
#include <variant>

int main() {
  const acre::job job;
  const int job_number = acre::world().broadcast(static_cast<int>(::getpid()), 0);
  const std::string path = "heat-" + std::to_string(job_number) + ".h5";

  // Three steps of a field, each a box of one dataset; then a checkpoint of the program's state.
  acre::matrix<float, 2> field(acre::world(), {6, 8}, 100);
  acre::hdf5_writer file(acre::world(), path);
  file.create<float, 3>("/steps", {3, 6, 8});
  for (std::size_t step = 0; step < 3; ++step) {
    file.store<3>("/steps", {.first = {step, 0, 0}, .extents = {1, 6, 8}}, field);
    acre::for_each(field, [](float& each) { each /= 2; });
  }
  file.store("/checkpoint/field", field);
  file.attribute("/checkpoint", "step", 3);
  file.attribute("/checkpoint", "material", "copper");
  file.close();  // the file receives its name

  // Contents of the file: any rank may read them alone.
  if (acre::rank() == 0) {
    for (const acre::hdf5_dataset& each : acre::hdf5_info(path)) {
      std::printf("%s: %s", each.name.c_str(), each.type.c_str());
      for (const std::size_t extent : each.extents) std::printf(" %zu", extent);
      std::printf("%s%s\n", each.pattern.empty() ? "" : ", ", each.pattern.c_str());
    }
  }
  acre::barrier();

  // Another number of ranks continues from the checkpoint, with another element type.
  const acre::team three = acre::world().split(acre::rank() < 3 ? 0 : 1);
  if (acre::rank() < 3) {
    const auto again = acre::load_hdf5<double, 2>(three, path, "/checkpoint/field");
    const double sum = acre::reduce_on_all(again);
    const auto step = std::get<std::int64_t>(acre::hdf5_attribute(path, "/checkpoint", "step"));
    if (acre::rank() == 0) {
      std::printf("%u ranks go on from step %ld, sum %g\n", three.size(), static_cast<long>(step),
                  sum);
    }
  }

  // The two middle rows of the second step.
  acre::matrix<float, 2> rows(acre::world(), {2, 8});
  acre::load_hdf5<3>(path, "/steps", {.first = {1, 2, 0}, .extents = {1, 2, 8}}, rows);
  const auto largest = acre::max_element_on_all(rows);
  if (acre::rank() == 0) std::printf("it was %g\n", static_cast<double>(*largest));
  acre::barrier();

  // A missing dataset is an error on all ranks, which lists the existing ones.
  try {
    acre::load_hdf5(path, "/step", rows);
  } catch (const acre::error& failed) {
    if (acre::rank() == 0) std::printf("no /step: %s\n", failed.advice().c_str());
  }

  // The same for NumPy: one array per file, without attributes.
  acre::store_npy(path + ".npy", rows);
  acre::load_npy(path + ".npy", rows);
  acre::barrier();
  if (acre::rank() == 0) {
    std::remove((path + ".npy").c_str());
    std::remove(path.c_str());
  }
}
