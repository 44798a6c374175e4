# The public headers: what programs that use Equipoise include. Every other header is internal: it
# is installed apart, since these include it, and may change with any version.
set(EQUIPOISE_PUBLIC_HEADERS
    # Running algorithms on networks.
    equipoise.hpp
    base/error.hpp
    base/ids.hpp
    base/tokens.hpp
    catalogue/registry/algorithm.hpp
    catalogue/runner/instance.hpp
    catalogue/runner/run.hpp
    catalogue/runner/supervision.hpp
    load/loads.hpp
    load/make.hpp
    model/run/record.hpp
    model/run/record_json.hpp
    model/run/stop.hpp
    network/any_network.hpp
    network/generators/generate.hpp
    network/grid.hpp
    network/io/read.hpp
    network/io/write.hpp
    network/network.hpp
    optimum/plan.hpp
    placement/few_moves.hpp
    verify/verify.hpp
    # Writing an algorithm.
    engine/program_nodes.hpp
    engine/rounds.hpp
    engine/simulation/simulation.hpp
    model/local/deal_rule.hpp
    model/local/edge_rule.hpp
    model/local/node_context.hpp
    model/local/node_faults.hpp
    model/local/node_program.hpp
    model/local/push_rule.hpp)
# With the component mpi.
set(EQUIPOISE_PUBLIC_MPI_HEADERS
    balancer/advisor.hpp
    balancer/balancer.hpp
    balancer/cereal.hpp
    balancer/columns.hpp
    balancer/lend.hpp
    balancer/neighbours/neighbours_only.hpp
    balancer/options.hpp
    balancer/plan.hpp
    balancer/relabel.hpp
    mpi/fabric.hpp
    mpi/run_program.hpp)
