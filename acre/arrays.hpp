// Arrays of several dimensions: patterns, views, algorithms, halos and files. acre.hpp has what all
// programs need; these are for programs that work on regular data.
#pragma once

#include <acre/acre.hpp>
#include <acre/algorithm/compare.hpp>
#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/histogram.hpp>
#include <acre/algorithm/multiply.hpp>
#include <acre/algorithm/npy.hpp>
#include <acre/algorithm/policy.hpp>
#include <acre/algorithm/redistribute.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/rotate.hpp>
#include <acre/algorithm/scan.hpp>
#include <acre/algorithm/sort.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/algorithm/transpose.hpp>
#include <acre/array/halo.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/array/stencil.hpp>
#include <acre/layout/composed.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/layout/distribution.hpp>
#include <acre/layout/properties.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/global_box.hpp>
#include <acre/view/global_span.hpp>
#include <acre/view/ranges.hpp>
