#include "equipoise/catalogue/studies/verify_text.hpp"

#include "equipoise/catalogue/studies/conjecture.hpp"
#include "equipoise/catalogue/studies/windows.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/optimum/windows/file.hpp"
#include "equipoise/verify/certificates.hpp"
#include "equipoise/verify/kept_states.hpp"

namespace equipoise::catalogue {

verify::Report verify_text(const std::string& text, const std::string& origin) {
    // A record is an object; conjecture writes a list.
    if (const std::size_t first = text.find_first_not_of(" \t\r\n");
        first != std::string::npos && text[first] == '[')
        return verify_conjecture(text, origin);
    if (optimum::is_windows_text(text)) return verify_windows(text, origin);
    if (verify::is_kept_text(text)) return verify::verify_kept(text, origin);
    if (verify::is_certificate_text(text)) return verify::verify_certificate(text, origin);
    return verify::verify(model::record_from_json(text, origin));
}

}  // namespace equipoise::catalogue
