#pragma once
// Bytes, as serialisers write and read them.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/view.hpp"

namespace equipoise::balancer {

/// Appends values to a buffer.
class ByteWriter {
  public:
    explicit ByteWriter(std::vector<std::byte>& bytes) : bytes_(&bytes) {}

    void put_bytes(std::span<const std::byte> bytes) {
        bytes_->insert(bytes_->end(), bytes.begin(), bytes.end());
    }
    /// A value without pointers.
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& value) {
        put_bytes(std::as_bytes(std::span<const T, 1>(&value, 1)));
    }
    /// A length and then that many values.
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const std::vector<T>& values) {
        put(static_cast<std::uint64_t>(values.size()));
        put_bytes(std::as_bytes(std::span<const T>(values)));
    }
    void put(const std::string& text) {
        put(static_cast<std::uint64_t>(text.size()));
        put_bytes(std::as_bytes(std::span<const char>(text)));
    }

  private:
    std::vector<std::byte>* bytes_;
};

/// Takes values from the front of the bytes of one item. Throws InputError when they run out.
class ByteReader {
  public:
    /// The bytes must live as long.
    explicit ByteReader(View<std::byte> bytes) : bytes_(bytes) {}

    [[nodiscard]] std::size_t left() const { return bytes_.size(); }
    [[nodiscard]] std::span<const std::byte> take_bytes(std::size_t count) {
        if (count > bytes_.size())
            throw InputError("an item ends before all that load() reads of it");
        const auto taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    [[nodiscard]] T get() {
        T value;
        std::memcpy(&value, take_bytes(sizeof(T)).data(), sizeof(T));
        return value;
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    [[nodiscard]] std::vector<T> get_vector() {
        const auto bytes = take_counted(sizeof(T));
        std::vector<T> values(bytes.size() / sizeof(T));
        if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    [[nodiscard]] std::string get_string() {
        const auto bytes = take_counted(1);
        std::string text(bytes.size(), '\0');
        if (!bytes.empty()) std::memcpy(text.data(), bytes.data(), bytes.size());
        return text;
    }

  private:
    std::span<const std::byte> take_counted(std::size_t size) {
        const auto count = get<std::uint64_t>();
        if (count > bytes_.size() / size)
            throw InputError("an item ends before all that load() reads of it");
        return take_bytes(static_cast<std::size_t>(count) * size);
    }

    std::span<const std::byte> bytes_;
};

}  // namespace equipoise::balancer
