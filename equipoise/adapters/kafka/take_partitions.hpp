#pragma once
// Kafka's partitions as a problem of reassignment.

#include <string>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/reassign/input/tables.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::kafka {

/// Gives a cluster the brokers of a table of machines, in its order behind those that hold
/// replicas; others are forgotten. Throws InputError naming the line of a name that is not the id
/// of a broker as Kafka prints it.
void take_brokers(const reassign::MachineTable& table, Cluster& cluster);

/// Makes replicas of partitions the items of a problem, numbered as those of `items_of`, as
/// `reassign::read_items` does with a table: labels are `item` and `topic`, the resource is `bytes`
/// if their sizes are known; machines are the brokers and keep their numbers. The replica of the
/// present leader leads or, where that is not known, the first one. Throws InputError for other
/// columns that are named.
void take_partitions(const Cluster& cluster, const std::string& file,
                     const reassign::Columns& columns, reassign::Problem& problem,
                     reassign::ReadTables& read);

}  // namespace equipoise::kafka
