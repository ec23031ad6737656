// Objects that move between ranks and keep their names. acre.hpp has what all programs need; this
// is for programs whose work is in objects.
#pragma once

#include <acre/acre.hpp>
#include <acre/agas/balance.hpp>
#include <acre/agas/checkpoint.hpp>
#include <acre/agas/collection.hpp>
#include <acre/agas/counter_sampler.hpp>
#include <acre/agas/counters.hpp>
#include <acre/agas/gid.hpp>
#include <acre/agas/imbalance_watch.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/invoke_to.hpp>
#include <acre/agas/load_meter.hpp>
#include <acre/agas/names.hpp>
#include <acre/agas/network_order.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/agas/object_report.hpp>
