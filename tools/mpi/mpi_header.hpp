// SPDX-License-Identifier: BSD-3-Clause
// <mpi.h> for a library preloaded into any process, thus not linked with MPI; functions bind
// lazily, and Open MPI's constants are weak.
#pragma once

// Without C++ bindings; with functions removed by MPI 3.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#ifdef OPEN_MPI
#pragma weak OMPI_C_MPI_COMM_NULL_COPY_FN
#pragma weak OMPI_C_MPI_WIN_NULL_COPY_FN
#pragma weak ompi_mpi_byte
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_comm_self
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_datatype_null
#pragma weak ompi_mpi_errors_return
#pragma weak ompi_mpi_op_max
#pragma weak ompi_mpi_op_no_op
#pragma weak ompi_mpi_op_sum
#pragma weak ompi_mpi_uint64_t
#pragma weak ompi_request_null
#pragma weak ompi_mpi_win_null
#endif
