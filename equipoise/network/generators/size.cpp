#include "equipoise/network/generators/size.hpp"

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/network/generators/table.hpp"

namespace equipoise::network {

NetworkSize size_of(const Spec& spec) {
    const Generator* const generator = find_row(generator_table(), spec.name());
    if (generator == nullptr)
        throw InputError("network '" + spec.text() + "': expected a generator, found \"" +
                         spec.name() + '"');
    return generator->size(spec);
}

}  // namespace equipoise::network
