#include "equipoise/theory/theorems.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/theory/dimension_exchange.hpp"
#include "equipoise/theory/papers.hpp"

namespace equipoise::theory {
namespace {

/// A path of five nodes with a spike of ten tokens, everything known.
InstanceSummary known_path() {
    InstanceSummary path;
    path.nodes = 5;
    path.degree_max = 2;
    path.colours = 2;
    path.connected = path.tree = true;
    path.diameter = 4;
    path.stable_discrepancy = 1;
    path.tokens = path.discrepancy = 10;
    path.scaled_potential = 5 * 100 - 100;
    path.diffusion_gap = 0.1;
    path.diffusion_divergence = 6;
    path.circuit_matchings = 2;
    path.circuit_gap = 0.2;
    path.circuit_divergence = 4;
    return path;
}

const Theorem& named(const std::string& name, const std::string& source) {
    for (const Theorem& theorem : theorems())
        if (theorem.name == name && theorem.source.starts_with(source)) return theorem;
    throw std::runtime_error("no " + name);
}

TEST(Theorems, AllSayWhatTheyBoundAndWhatTheyNeed) {
    std::set<std::string> rows;
    for (const Theorem& theorem : theorems()) {
        EXPECT_FALSE(theorem.formula.empty());
        EXPECT_FALSE(theorem.hypothesis.empty());
        EXPECT_TRUE(rows.insert(std::string(theorem.source) + std::string(theorem.name) +
                                std::string(theorem.quantity))
                        .second)
            << theorem.name << " twice";
    }
    for (const std::string paper : {"Houle", "Margara", "Meyer", "Dinitz", "Rabani"})
        EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                                [&](const std::string& row) { return row.starts_with(paper); }));
}

/// A spike of 100 tokens in a corner of a mesh, everything known.
InstanceSummary known_mesh(std::vector<std::uint64_t> sides) {
    InstanceSummary mesh;
    mesh.nodes = 1;
    for (const std::uint64_t side : sides)
        mesh.nodes *= side;
    mesh.mesh_sides = std::move(sides);
    mesh.connected = true;
    mesh.tokens = mesh.discrepancy = mesh.load_max = 100;
    mesh.empty_nodes = mesh.nodes - 1;
    mesh.static_bound = 100 - (100 + mesh.nodes - 1) / mesh.nodes;
    mesh.fewest_steps = 99;
    return mesh;
}

TEST(Theorems, OfTokenDistributionHoldOnMeshesOnly) {
    const InstanceSummary cube = known_mesh({6, 6});
    EXPECT_EQ(bound(named("Theorem 1(a)", "Meyer"), cube), 97);
    EXPECT_EQ(bound(named("Theorem 1(b), sharpened", "Meyer"), cube), 97 + 34);
    // All tokens in the corner cell, two links out of it, three of them may stay.
    EXPECT_EQ(bound(named("Theorem 2(a), repaired", "Meyer"), cube), 49);
    EXPECT_EQ(bound(named("Theorem 2(b)", "Meyer"), cube), 4 * (100 + 6));
    EXPECT_EQ(bound(named("Theorem 2(b), repaired", "Meyer"), cube), 4 * (100 + 6));
    EXPECT_EQ(bound(named("Theorem 3, repaired", "Meyer"), cube), 8 * 7 * 99);
    EXPECT_EQ(named("Theorem 1(a)", "Meyer").sense, Sense::at_least);
    EXPECT_EQ(named("Theorem 3, repaired", "Meyer").sense, Sense::order);

    const InstanceSummary oblong = known_mesh({4, 9});
    EXPECT_THROW((void)bound(named("Theorem 2(a), repaired", "Meyer"), oblong), UnsuitableError);
    EXPECT_EQ(bound(named("Theorem 2(b)", "Meyer"), oblong), 4 * (100 + 9));
    // 400 full cells on each of two lines: 200 tokens leave over every link of one cut, so root is
    // k times 400, not times the square root of 800.
    InstanceSummary flat = known_mesh({2, 800});
    flat.tokens = 100 * 2 * 400;
    EXPECT_EQ(bound(named("Theorem 2(b)", "Meyer"), flat), 4 * (100 * 400 + 800));
    EXPECT_EQ(bound(named("Theorem 2(b), repaired", "Meyer"), flat), 4 * (100 * 400 + 800));
    InstanceSummary unknown = cube;
    unknown.fewest_steps.reset();
    EXPECT_THROW((void)bound(named("Theorem 3, repaired", "Meyer"), unknown), UnsuitableError);

    const InstanceSummary path = known_path();
    for (const std::string name : {"Theorem 1(a)", "Theorem 2(a), repaired", "Theorem 2(b)",
                                   "Theorem 2(b), repaired", "Theorem 3, repaired"})
        EXPECT_THROW((void)bound(named(name, "Meyer"), path), UnsuitableError) << name;
}

TEST(Theorems, GiveFiniteNumbersWhereTheirHypothesesHold) {
    const InstanceSummary path = known_path();
    std::size_t applied = 0;
    for (const Theorem& theorem : theorems()) {
        if (!theorem.holds(path)) continue;
        ++applied;
        const double value = bound(theorem, path);
        EXPECT_TRUE(std::isfinite(value)) << theorem.name;
        EXPECT_GE(value, 0) << theorem.name;
    }
    EXPECT_GT(applied, 20U);
}

TEST(Theorems, RefuseWhereAHypothesisFailsOrANumberIsNotKnown) {
    const InstanceSummary nothing;
    for (const Theorem& theorem : theorems())
        EXPECT_THROW((void)bound(theorem, nothing), UnsuitableError) << theorem.name;
    InstanceSummary ring = known_path();
    ring.tree = false;
    EXPECT_THROW((void)bound(named("Theorem 18", "Houle"), ring), UnsuitableError);
    EXPECT_THROW((void)bound(named("Theorem 9(b)", "Rabani"), ring), UnsuitableError);
    EXPECT_THROW((void)bound(named("Lemma 17", "Houle"), known_path()), UnsuitableError);
}

TEST(Theorems, AreCitedByPaperAndName) {
    EXPECT_EQ(cite(papers::houle, "Section 2"), "Houle, Symvonis, Wood 2004, Section 2");
    for (const Theorem& theorem : theorems())
        EXPECT_EQ(cite_theorem(theorem.source, theorem.name),
                  std::string(theorem.source) + ", " + std::string(theorem.name));
}

TEST(Theorems, AgreeWithTheBoundsTheyName) {
    const InstanceSummary path = known_path();
    EXPECT_EQ(bound(named("Theorem 5", "Houle"), path), 4);
    EXPECT_EQ(bound(named("Theorem 18", "Houle"), path),
              static_cast<double>(discrepancy_1_steps_bound(10, 2, 5)));
    EXPECT_EQ(bound(named("Theorem 3", "Dinitz"), path), 5 * 100 / 8);
    // Phi = 400 / 5 = 80.
    EXPECT_EQ(bound(named("Theorem 3, sharpened", "Dinitz"), path), 40);
}

TEST(Theorems, SharpenTheDeviationByTheLargestDivisorOnIrregularNetworksToo) {
    InstanceSummary path = known_path();
    EXPECT_EQ(bound(named("Theorem 2, sharpened", "Rabani"), path), 6 * 2 / 3.0);
    path.diffusion_divisor = 4;
    EXPECT_EQ(bound(named("Theorem 2, sharpened", "Rabani"), path), 6 * 3 / 4.0);
}

}  // namespace
}  // namespace equipoise::theory
