"""What tools/make_faces.py makes of the balancer's options that must be the same on all ranks."""

import re

# What a digest holds of an option. `$` is its name.
DIGESTED = {"real": "std::bit_cast<std::uint64_t>(options.$ + 0.0)",  # -0.0 is 0
            "count": "static_cast<std::uint64_t>(options.$)",
            "policy": "static_cast<std::uint64_t>(options.$)", "size": "options.$",
            "flag": "options.$ ? 1U : 0U", "colour": "options.$ ? 1U : 0U",
            "word": "mpi::digest_of(options.$)"}
# Its value in errors.
SAID = {"real": "real_text(options.$)", "policy": "std::string(to_string(options.$))",
        "word": "printable(beginning_of(options.$))"}


def words_of(name, field):
    """An expression of C++: the words that name an option in errors."""
    value = "" if field["type"] in ("flag", "colour") else " {}"
    parts = re.split(r"\{(\w*)\}", field.get("said", name.replace("_", " ") + value))
    words = [f'", {parts[0]}"']
    for thing, after in zip(parts[1::2], parts[2::2]):
        value = SAID.get(field["type"], "std::to_string(options.$)").replace("$", name)
        words.append(f'counted(std::uint64_t{{options.{name}}}, "{thing}")' if thing else value)
        words += [f'"{after}"'] if after else []
    return " + ".join(words)


def header(alike, description):
    """The lines of a header that compares these options, which are pairs of a name and a field of
    the description."""
    lines = ["// clang-format off", "// Options that must be the same on all ranks.", "",
             "#include <bit>", "#include <cstdint>", "#include <string>", "",
             '#include "equipoise/balancer/options.hpp"', '#include "equipoise/base/digest.hpp"',
             '#include "equipoise/base/figures.hpp"', '#include "equipoise/base/printable.hpp"',
             '#include "equipoise/mpi/agreement.hpp"', "", "namespace equipoise::balancer {", "",
             "/// Adds them all. Of colours, that there are some.",
             "inline void add_alike(const Options& options, Digest& digest) {"]
    for name, field in alike:
        if field["type"] not in DIGESTED:
            raise SystemExit(f"{description}: options.{name} has a type that cannot be compared "
                             "between ranks: say alike = false, if they may differ in it")
        lines.append(f"    digest.add({DIGESTED[field['type']].replace('$', name)});")
    lines += ["}", "", "/// Those that matter, or differ from the defaults, in words.",
              "template <class RealText>",
              "std::string alike_in_words(const Options& options, const RealText& real_text) {",
              "    const Options defaults;", "    std::string text;"]
    for name, field in alike:
        added = f"text += {words_of(name, field)};"
        if field.get("matters") == "true":
            lines.append(f"    {added}")
            continue
        matters = f"{field['matters']} || " if "matters" in field else ""
        lines += [f"    if ({matters}options.{name} != defaults.{name})",
                  *(f"        {added}".replace(" += ", " +=\n            ").split("\n")
                    if len(added) > 92 else [f"        {added}"])]
    return [*lines, "    return text;", "}", "", "}  // namespace equipoise::balancer"]
