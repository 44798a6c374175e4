#include "equipoise/reassign/bounds/choice_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gmpxx.h>

namespace equipoise::reassign {

namespace {

/// Prices are whole numbers of 2^-price_bits.
constexpr int price_bits = 100;

mpz_class wide(Int128 number) {
    const bool is_negative = number < 0;
    const UInt128 size =
        is_negative ? UInt128{0} - static_cast<UInt128>(number) : static_cast<UInt128>(number);
    mpz_class high = static_cast<unsigned long>(static_cast<std::uint64_t>(size >> 64U));
    high <<= 64U;
    high += static_cast<unsigned long>(static_cast<std::uint64_t>(size));
    if (is_negative) high = -high;
    return high;
}

}  // namespace

Int128 cost_at_prices(const ChoiceProgram& program, std::span<const double> prices) {
    std::vector<mpz_class> price(program.limits.size());
    mpz_class sum = 0;
    for (std::size_t row = 0; row < price.size(); ++row) {
        const double whole_price = std::ldexp(prices[row], price_bits);
        if (!std::isfinite(whole_price) || whole_price < 1) continue;
        price[row] = whole_price;  // cut off: exact from here on
        sum -= price[row] * wide(program.limits[row]);
    }
    const auto reduced = [&](std::size_t column) {
        mpz_class cost = wide(program.columns[column].cost) << price_bits;
        for (const ChoiceProgram::Entry& entry : program.entries_of(column))
            cost += price[entry.row] * static_cast<long>(entry.coefficient);
        return cost;
    };
    for (std::size_t choice = 0; choice < program.choices.size(); ++choice) {
        const std::size_t end =
            choice + 1 < program.choices.size() ? program.choices[choice + 1] : program.options;
        mpz_class least = reduced(program.choices[choice]);
        for (std::size_t option = program.choices[choice] + 1; option < end; ++option)
            least = std::min(least, reduced(option));
        sum += least;
    }
    for (std::size_t amount = program.options; amount < program.columns.size(); ++amount) {
        const mpz_class cost = reduced(amount);
        if (cost < 0) sum += cost * wide(program.columns[amount].most);
    }
    mpz_class whole;
    mpz_cdiv_q_2exp(whole.get_mpz_t(), sum.get_mpz_t(), price_bits);
    if (whole <= 0) return 0;
    if (mpz_sizeinbase(whole.get_mpz_t(), 2) > 126) return Int128{1} << 126U;
    const mpz_class high = whole >> 64U;
    const mpz_class low = whole - (high << 64U);
    return (Int128{high.get_ui()} << 64U) + Int128{low.get_ui()};
}

}  // namespace equipoise::reassign
