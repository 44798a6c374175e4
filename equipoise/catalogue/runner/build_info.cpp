#include "equipoise/catalogue/runner/build_info.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

#include "equipoise/adapters/experts/yaml.hpp"
#include "equipoise/adapters/redis/connection.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/engine/parts/metis.hpp"
#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/trace/brotli.hpp"

namespace equipoise::catalogue {

namespace {

BuildInfo make_build_info() {
    BuildInfo info;
    info.version = EQUIPOISE_VERSION;
#if defined(__clang__)
    info.compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
    info.compiler = "g++ " __VERSION__;
#else
    info.compiler = "unknown";
#endif
    info.configuration = checked_build ? "checked" : "optimised";
#ifdef _OPENMP
    info.openmp = true;
    info.threads = omp_get_num_procs();
#endif
#ifdef EQUIPOISE_WITH_MPI
    info.mpi = true;
#endif
    info.metis = engine::has_metis();
    info.clp = reassign::has_linear_programs();
    info.brotli = trace::has_brotli();
    info.yaml = experts::has_yaml();
    info.hiredis = redis::is_built_in();
    return info;
}

}  // namespace

const BuildInfo& build_info() {
    static const BuildInfo info = make_build_info();
    return info;
}

}  // namespace equipoise::catalogue
