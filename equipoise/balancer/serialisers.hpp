#pragma once
// What a serialiser looks like, and what the compiler says about items and serialisers that do not
// fit.

#include <concepts>
#include <type_traits>

#include "equipoise/balancer/bytes.hpp"

namespace equipoise::balancer {

/// An object that turns items into bytes and back:
///     void save(const T& item, ByteWriter& out) const;
///     T load(ByteReader& in) const;
/// either of which may be static. `load` must read all that `save` wrote.
template <class Serialiser, class T>
concept SerialiserOf =
    requires(const Serialiser& serialiser, const T& item, ByteWriter& out, ByteReader& in) {
        serialiser.save(item, out);
        { serialiser.load(in) } -> std::convertible_to<T>;
    };

namespace detail {

/// Stands for the archives of cereal and Boost.Serialization.
struct AnyArchive {
    template <class... Values>
    AnyArchive& operator()(Values&&...);
    template <class Value>
    AnyArchive& operator&(Value&&);
    template <class Value>
    AnyArchive& operator<<(Value&&);
    template <class Value>
    AnyArchive& operator>>(Value&&);
};

/// Whether an archive of cereal or Boost.Serialization probably takes such items: their functions
/// are members or free, and those for Boost are given a version too. What is private is not seen.
template <class T>
concept Archived = requires(T& item, AnyArchive& archive) { item.serialize(archive); } ||
                   requires(T& item, AnyArchive& archive) { item.serialize(archive, 0U); } ||
                   requires(const T& item, AnyArchive& archive) { item.save(archive); } ||
                   requires(const T& item, AnyArchive& archive) { item.save(archive, 0U); } ||
                   requires(T& item, AnyArchive& archive) { serialize(archive, item); } ||
                   requires(T& item, AnyArchive& archive) { serialize(archive, item, 0U); } ||
                   requires(const T& item, AnyArchive& archive) { save(archive, item); } ||
                   requires(const T& item, AnyArchive& archive) { save(archive, item, 0U); };

/// Whether items have functions of a serialiser themselves, as members or free.
template <class T>
concept SavesItself = requires(const T& item, ByteWriter& out) { item.save(out); } ||
                      requires(const T& item, ByteWriter& out) { save(item, out); };

/// Accepts items that travel as bytes, or says what to write for others.
template <class T>
consteval bool travels_as_bytes() {
    constexpr bool copyable = std::is_trivially_copyable_v<T>;
    static_assert(copyable || !Archived<T>,
                  "items with functions for archives need a serialiser: for cereal, include "
                  "equipoise/balancer/cereal.hpp and pass CerealSerialiser<T>() after the options; "
                  "for Boost.Serialization, equipoise/balancer/boost_serialiser.hpp and "
                  "BoostSerialiser<T>(); see docs/how-to/balancer.md");
    static_assert(copyable || Archived<T> || !SavesItself<T>,
                  "items that save themselves need a serialiser that calls them, passed after the "
                  "options: struct S { static void save(const T& item, ByteWriter& out) { "
                  "item.save(out); } static T load(ByteReader& in) { return T::load(in); } }; (or "
                  "calls the free functions); see docs/how-to/balancer.md");
    static_assert(copyable || Archived<T> || SavesItself<T>,
                  "items with pointers need a serialiser, passed after the options: an object with "
                  "`void save(const T& item, ByteWriter& out) const` and `T load(ByteReader& in) "
                  "const`; see docs/how-to/balancer.md");
    static_assert(std::default_initializable<T>, "items that travel as bytes need a default value");
    static_assert(!std::same_as<T, bool>, "std::vector<bool> has no items of its own");
    return true;
}

/// Accepts a serialiser for such items, or says what it must look like.
template <class Serialiser, class T>
consteval bool serialises() {
    static_assert(SerialiserOf<Serialiser, T>,
                  "expected a serialiser of the items with `void save(const T& item, ByteWriter& "
                  "out) const` and `T load(ByteReader& in) const` (either may be static); see "
                  "docs/how-to/balancer.md");
    static_assert(!SerialiserOf<Serialiser, T> || (std::is_nothrow_move_constructible_v<T> &&
                                                   std::is_nothrow_move_assignable_v<T>),
                  "items must move without throwing, so that no failure can lose one");
    return true;
}

}  // namespace detail

}  // namespace equipoise::balancer
