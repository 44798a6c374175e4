#include "equipoise/model/run/record_fields.hpp"

namespace equipoise::model {

namespace {

/// A visitor that only collects names and visits no record.
class Naming {
  public:
    explicit Naming(std::vector<NamedField>& fields) : fields_(fields) {}

    void operator()(const char* key, FieldFacts facts) {
        fields_.push_back({inside_ + key, facts});
    }
    void delays(const char* key, FieldFacts facts) { (*this)(key, facts); }
    template <class Fields>
    void object(const char* key, FieldFacts facts, const Fields& fields) {
        (*this)(key, facts);
        Naming inner(fields_);
        inner.inside_ = inside_ + key + '.';
        fields(inner);
    }
    template <class Fields>
    void optional(const char* key, FieldFacts facts, const Fields& fields) {
        object(key, facts, fields);
    }
    template <class Fields>
    void list(const char* key, FieldFacts facts, const Fields& fields) {
        object(key, facts, fields);
    }

  private:
    std::vector<NamedField>& fields_;
    std::string inside_;
};

}  // namespace

const std::vector<NamedField>& named_fields() {
    static const std::vector<NamedField> all = [] {
        std::vector<NamedField> fields;
        Naming naming(fields);
        record_fields(naming);
        return fields;
    }();
    return all;
}

}  // namespace equipoise::model
