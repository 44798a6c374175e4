#include "equipoise/model/run/record.hpp"

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::model {

std::string to_string(RecordLevel level) {
    switch (level) {
        case RecordLevel::summary:
            return "summary";
        case RecordLevel::sampled:
            return "sampled";
        case RecordLevel::full:
            return "full";
    }
    return "unknown";
}

RecordLevel record_level_from_word(std::string_view word) {
    for (const RecordLevel level : {RecordLevel::summary, RecordLevel::sampled, RecordLevel::full})
        if (word == to_string(level)) return level;
    throw InputError("--record-level: " + expected_word(word, {"summary", "sampled", "full"}));
}

}  // namespace equipoise::model
