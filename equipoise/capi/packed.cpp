#include "equipoise/capi/packed.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/capi/arrays.hpp"
#include "equipoise/capi/moving_handle.hpp"

struct equipoise_writer {
    equipoise::balancer::ByteWriter* out;
    bool no_memory = false;
};

struct equipoise_reader {
    equipoise::balancer::ByteReader* in;
    bool ran_out = false;
};

namespace equipoise::capi {

namespace {

void check_code(const char* function, int code) {
    if (code != 0)
        throw std::runtime_error(std::string(function) + " returned " + std::to_string(code));
}

// `call(writer)` is the caller's function.
template <class Call>
void pack_by(balancer::ByteWriter& out, const Call& call) {
    equipoise_writer writer{&out};
    const int code = call(&writer);
    if (writer.no_memory) throw std::bad_alloc();
    check_code("pack()", code);
}

// `call(reader)` is the caller's function; if it succeeds without reading the whole item, `undo` is
// called.
template <class Call, class Undo>
void unpack_by(balancer::ByteReader& in, const Call& call, const Undo& undo) {
    equipoise_reader reader{&in};
    const int code = call(&reader);
    if (reader.ran_out) {
        if (code == 0) undo();
        throw InputError("an item ends before all that unpack() reads of it");
    }
    check_code("unpack()", code);
}

/// Items that only the caller's functions understand.
class PlacedByCaller final : public balancer::PlacedItems {
  public:
    explicit PlacedByCaller(const equipoise_placed* items) {
        if (items == nullptr) throw InputError("expected placed items, found NULL");
        items_ = *items;
        if (items_.pack == nullptr || items_.unpack == nullptr || items_.keep == nullptr)
            throw InputError("expected functions pack, unpack and keep, found NULL");
    }

    void pack(Tokens place, balancer::ByteWriter& out) override {
        pack_by(out, [&](auto* writer) { return items_.pack(place, writer, items_.context); });
    }
    void unpack(Tokens place, balancer::ByteReader& in) override {
        unpack_by(
            in, [&](auto* reader) { return items_.unpack(place, reader, items_.context); },
            [&] { discard(place); });
    }
    void discard(Tokens place) noexcept override {
        if (items_.discard != nullptr) items_.discard(place, items_.context);
    }
    void keep(Tokens from, Tokens to) noexcept override { items_.keep(from, to, items_.context); }
    void leave(Tokens place) noexcept override {
        if (items_.leave != nullptr) items_.leave(place, items_.context);
    }

  private:
    equipoise_placed items_ = {};
};

/// Placed items on their way.
template <class Items>
class PlacedMoving final : public equipoise_moving {
  public:
    template <class... Arguments>
    explicit PlacedMoving(const balancer::Plan& plan, const Arguments&... arguments)
        : plan_(plan), items_(arguments...) {}

    void begin(engine::LocalFailure& failure) override { moving_.emplace(failure, plan_, items_); }
    [[nodiscard]] balancer::Report end() override { return moving_->end(); }

  private:
    balancer::Plan plan_;
    Items items_;
    std::optional<balancer::Moving<balancer::PlacedMove>> moving_;
};

std::unique_ptr<equipoise_moving> make(const balancer::Plan& plan, const equipoise_array* array,
                                       const equipoise_packing* packing) {
    if (array == nullptr) throw InputError("expected an array, found NULL");
    check_arrays(plan, std::span(array, 1));
    return std::make_unique<PlacedMoving<PackedArray>>(plan, array->from, array->to,
                                                       array->item_size, packing);
}

std::unique_ptr<equipoise_moving> make(const balancer::Plan& plan, const equipoise_placed* items) {
    return std::make_unique<PlacedMoving<PlacedByCaller>>(plan, items);
}

}  // namespace

void check_packing(const equipoise_packing* packing) {
    if (packing == nullptr || packing->pack == nullptr || packing->unpack == nullptr)
        throw InputError("expected functions pack and unpack, found NULL");
}

PackedArray::PackedArray(const void* from, void* to, std::size_t item_size,
                         const equipoise_packing* packing)
    // The items of the old array may be changed once they have left.
    : from_(static_cast<std::byte*>(const_cast<void*>(from))),
      to_(static_cast<std::byte*>(to)),
      item_size_(item_size) {
    check_packing(packing);
    packing_ = *packing;
}

std::byte* PackedArray::old_item(Tokens place) const {
    return from_ + static_cast<std::size_t>(place) * item_size_;
}
std::byte* PackedArray::new_item(Tokens place) const {
    return to_ + static_cast<std::size_t>(place) * item_size_;
}

void PackedArray::pack(Tokens place, balancer::ByteWriter& out) {
    pack_by(out,
            [&](auto* writer) { return packing_.pack(old_item(place), writer, packing_.context); });
}

void PackedArray::unpack(Tokens place, balancer::ByteReader& in) {
    unpack_by(
        in,
        [&](auto* reader) { return packing_.unpack(new_item(place), reader, packing_.context); },
        [&] { discard(place); });
}

void PackedArray::discard(Tokens place) noexcept {
    if (packing_.release != nullptr) packing_.release(new_item(place), packing_.context);
}

void PackedArray::keep(Tokens from, Tokens to) noexcept {
    std::memcpy(new_item(to), old_item(from), item_size_);
}

void PackedArray::leave(Tokens place) noexcept {
    if (packing_.release != nullptr) packing_.release(old_item(place), packing_.context);
}

}  // namespace equipoise::capi

using namespace equipoise::capi;

extern "C" {

int equipoise_write(equipoise_writer* out, const void* bytes, size_t count) {
    try {
        out->out->put_bytes({static_cast<const std::byte*>(bytes), count});
    } catch (...) {
        out->no_memory = true;
        return EQUIPOISE_NO_MEMORY;
    }
    return EQUIPOISE_OK;
}

int equipoise_read(equipoise_reader* in, void* bytes, size_t count) {
    if (count > in->in->left()) {
        in->ran_out = true;
        return EQUIPOISE_BAD_INPUT;
    }
    const auto taken = in->in->take_bytes(count);
    if (count > 0) std::memcpy(bytes, taken.data(), count);
    return EQUIPOISE_OK;
}

size_t equipoise_left(const equipoise_reader* in) {
    return in->in->left();
}

int equipoise_plan_execute_packed(const equipoise_plan* plan, const equipoise_array* array,
                                  const equipoise_packing* packing, equipoise_report* report) {
    return execute(plan, report, [&](const auto& of) { return make(of, array, packing); });
}

int equipoise_plan_begin_packed(const equipoise_plan* plan, const equipoise_array* array,
                                const equipoise_packing* packing, equipoise_moving** moving) {
    return begin(plan, moving, [&](const auto& of) { return make(of, array, packing); });
}

int equipoise_plan_execute_placed(const equipoise_plan* plan, const equipoise_placed* items,
                                  equipoise_report* report) {
    return execute(plan, report, [&](const auto& of) { return make(of, items); });
}

int equipoise_plan_begin_placed(const equipoise_plan* plan, const equipoise_placed* items,
                                equipoise_moving** moving) {
    return begin(plan, moving, [&](const auto& of) { return make(of, items); });
}

}  // extern "C"
