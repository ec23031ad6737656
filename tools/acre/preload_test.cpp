// SPDX-License-Identifier: BSD-3-Clause
#include "preload.hpp"

#include "messages_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using acre::tool::messages_file;
using acre::tool::mpi;
using acre::tool::mpi_among;
using acre::tool::mpi_of_version;
using acre::tool::with_variables;
using words = std::vector<std::string>;

TEST(MpiProgram, IsKnownByTheLibraryThatItLoads) {
  EXPECT_EQ(mpi_among("\tlibc.so.6 => /lib/libc.so.6\n\tlibmpi.so.40 => /opt/libmpi.so.40.30.4\n"),
            mpi::openmpi);
  EXPECT_EQ(mpi_among("\tlibmpich.so.12 => /lib/libmpich.so.12 (0x0)\n"), mpi::mpich);
  EXPECT_EQ(mpi_among("\tlibmpi.so.12 => not found\n"), mpi::mpich);
}

TEST(MpiProgram, IsNotKnownByLibrariesThatAreNamedAlike) {
  EXPECT_EQ(mpi_among("\tlibscalapack-libmpi.so.40 => /lib/x\n\tlibmpi.so.401 => /lib/x\n"),
            std::nullopt);
}

TEST(Launcher, IsKnownByWhatItSaysOfItself) {
  EXPECT_EQ(mpi_of_version("mpirun (Open MPI) 4.1.4\n"), mpi::openmpi);
  EXPECT_EQ(mpi_of_version("HYDRA build details:\n    Version: 4.0.2\n"), mpi::mpich);
  EXPECT_EQ(mpi_of_version("slurm 23.02\n"), std::nullopt);
}

TEST(Launcher, OfOpenMpiIsToldOfVariablesForEachProgram) {
  EXPECT_EQ(with_variables({"mpirun", "-n", "1", "a", ":", "b"}, mpi::openmpi, {{"X", "1"}}),
            (words{"mpirun", "-x", "X=1", "-n", "1", "a", ":", "-x", "X=1", "b"}));
}

TEST(Launcher, OfMpichIsToldOfVariablesForAllPrograms) {
  EXPECT_EQ(with_variables({"mpiexec", "a", ":", "b"}, mpi::mpich, {{"X", "1"}, {"Y", "2"}}),
            (words{"mpiexec", "-genv", "X", "1", "-genv", "Y", "2", "a", ":", "b"}));
}

TEST(Launcher, OfAnotherKindHandsItsOwnEnvironmentOn) {
  EXPECT_EQ(with_variables({"srun", "a"}, std::nullopt, {{"X", "1"}}), std::nullopt);
}

TEST(MatrixOfMessages, IsBesideThatOfBytes) {
  EXPECT_EQ(messages_file("out/traffic.mtx"), "out/traffic.messages.mtx");
  EXPECT_EQ(messages_file("traffic"), "traffic.messages.mtx");
}

}  // namespace
