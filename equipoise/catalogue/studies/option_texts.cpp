#include "equipoise/catalogue/studies/option_texts.hpp"

#include "equipoise/adapters/kafka/printed.hpp"

namespace equipoise::catalogue {

std::string option_text(const OptionTexts& texts, const char* option, const std::string& file,
                        std::string (*read)(const std::string&)) {
    const auto text = texts.find(option);
    return text == texts.end() ? read(file) : text->second;
}

bool is_kafkas(const OptionTexts& texts, const char* option, const std::string& file) {
    const auto text = texts.find(option);
    if (text == texts.end()) return kafka::holds_documents(file);
    return file.ends_with(".json") || kafka::printed_in(text->second).has_value();
}

}  // namespace equipoise::catalogue
