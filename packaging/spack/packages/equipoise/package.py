# Not tried with Spack yet. A test checks that it parses and that its options are CMake's.
#
# To use it: spack repo add packaging/spack && spack install equipoise
#            spack install equipoise +only_balancer   (a compiler and MPI suffice)
from spack.package import *


class Equipoise(CMakePackage):
    """Levels indivisible work across a network of processors by local exchanges: a program, a C++
    library, and a balancer for MPI programs in C++, C and Fortran."""

    license("Apache-2.0")

    # The sources that this file lies in.
    version("1.0.0", branch="main", git="file://" + ancestor(__file__, 5), preferred=True)

    variant("mpi", default=True, description="The balancer, and runs over MPI ranks")
    variant("only_balancer", default=False, description="The balancer alone")
    variant("fortran", default=True, description="The Fortran module of the balancer")
    variant("metis", default=True, description="Partitions found by METIS")
    variant("clp", default=True, description="Bounds by linear programs of COIN-OR Clp")
    variant("brotli", default=True, description="Traces compressed by brotli")
    variant("yaml", default=True, description="Placements of experts in YAML")
    variant("hiredis", default=True, description="Redis Clusters that are running")
    variant("rsvg", default=False, description="Plots as PDF and PNG")
    variant("shared", default=False, description="Shared libraries")
    conflicts("+only_balancer", when="~mpi", msg="the balancer needs MPI")
    conflicts("+only_balancer", when="+shared", msg="the balancer alone is static")
    conflicts("%gcc@:11", msg="C++20 is needed")

    depends_on("cmake@3.25:", type="build")
    depends_on("mpi", when="+mpi")
    with when("~only_balancer"):
        depends_on("python@3.9:", type="build")  # makes manuals and completion
        depends_on("fmt")
        depends_on("nlohmann-json")
        depends_on("cli11")
        depends_on("eigen")
        depends_on("spectra")
        depends_on("gmp+cxx")
        depends_on("lemon")
        depends_on("metis", when="+metis")
        depends_on("clp", when="+clp")
        depends_on("brotli", when="+brotli")
        depends_on("yaml-cpp", when="+yaml")
        depends_on("hiredis", when="+hiredis")
        depends_on("pkgconfig", type="build", when="+rsvg")
        depends_on("librsvg", when="+rsvg")
        depends_on("cairo+pdf", when="+rsvg")

    # What the page draws curves with.
    resource(
        name="chart.js",
        url="https://registry.npmjs.org/chart.js/-/chart.js-3.9.1.tgz",
        sha256="111e0751796f087a51e94dfed910ccfb1278fd30e584a6e48514dba9ae7e72c6",
        placement="chart.js",
        when="~only_balancer",
    )

    def cmake_args(self):
        args = [
            self.define("EQUIPOISE_TESTS", False),
            self.define("EQUIPOISE_PYTHON", False),
            self.define("EQUIPOISE_WARNINGS", False),
            self.define_from_variant("EQUIPOISE_MPI", "mpi"),
            self.define_from_variant("EQUIPOISE_FORTRAN", "fortran"),
            self.define_from_variant("EQUIPOISE_METIS", "metis"),
            self.define_from_variant("EQUIPOISE_CLP", "clp"),
            self.define_from_variant("EQUIPOISE_BROTLI", "brotli"),
            self.define_from_variant("EQUIPOISE_YAML", "yaml"),
            self.define_from_variant("EQUIPOISE_HIREDIS", "hiredis"),
            self.define("EQUIPOISE_NATS", False),  # Spack has no libnats
            self.define_from_variant("EQUIPOISE_RSVG", "rsvg"),
            self.define_from_variant("EQUIPOISE_SHARED", "shared"),
        ]
        if self.spec.satisfies("+only_balancer"):
            args.append(self.define("EQUIPOISE_ONLY", "balancer"))
        else:
            chart = join_path(self.stage.source_path, "chart.js", "package", "dist", "chart.min.js")
            args.append(self.define("EQUIPOISE_CHART_JS", chart))
        return args
