#include "equipoise/engine/local_failure.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "equipoise/base/error.hpp"
#include "equipoise/base/joint_error.hpp"
#include "equipoise/base/utf8.hpp"

namespace equipoise::engine {

static_assert(std::is_trivially_copyable_v<LocalFailure>, "failures travel as bytes");

void LocalFailure::note(const std::exception_ptr& error) noexcept {
    if (error == nullptr) return;
    try {
        std::rethrow_exception(error);
    } catch (const OverflowError& found) {
        note(Kind::overflow, found.quantity());
    } catch (const UnsuitableError& found) {
        note(Kind::unsuitable, found.what());
    } catch (const JointError& found) {
        note(Kind::joint, found.what());
    } catch (const InputError& found) {
        note(Kind::input, found.what());
    } catch (const std::bad_alloc&) {
        note(Kind::memory, "an allocation failed");
    } catch (const std::length_error&) {
        note(Kind::memory, "more was asked for than a container can hold");
    } catch (const std::exception& found) {
        note(Kind::other, found.what());
    } catch (...) {
        note(Kind::other, "an exception that is not a std::exception");
    }
}

void LocalFailure::note(Kind kind, std::string_view text) noexcept {
    if (failed()) return;
    kind_ = kind;
    text_.fill('\0');
    std::copy_n(text.begin(), whole_characters(text, text_max), text_.begin());
}

void LocalFailure::name_rank(int rank) noexcept {
    if (kind_ != Kind::overflow && kind_ != Kind::unsuitable && kind_ != Kind::input) return;
    LocalFailure named;
    named.guard([&] {
        const std::string text = "rank " + std::to_string(rank) + ": " + message();
        named.note(kind_ == Kind::unsuitable ? kind_ : Kind::input, text);
    });
    *this = named;
}

std::string LocalFailure::message() const {
    return kind_ == Kind::overflow ? OverflowError(std::string(text())).what()
                                   : std::string(text());
}

}  // namespace equipoise::engine
