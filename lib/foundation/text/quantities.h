// Human-readable figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fxcut {

// "2.5 TFLOP": a count by powers of a thousand; bytes ("B") by powers of 1024 where text_style() asks for them.
std::string show_scaled(double value, std::string_view unit);

template <typename Count>
std::string show_scaled(Count value, std::string_view unit) {
  return show_scaled(static_cast<double>(value), unit);
}

// "1 value", "3 values": the plural has an s.
std::string show_count(std::size_t count, std::string_view noun);

// "42.1 GB", "16 B": decimal units, as PyTorch's users count memory, or "39.2 GiB".
std::string show_bytes(std::int64_t bytes);

// "42.1 GB", or to the byte where `other`, which differs, would read the same.
std::string show_bytes_apart(double bytes, double other);

template <typename Count>
std::string show_bytes_apart(Count bytes, Count other) {
  return show_bytes_apart(static_cast<double>(bytes), static_cast<double>(other));
}

constexpr double kPicosecondsPerMs = 1e9;

// "1.5 ms", "20 us", "2.0 s".
std::string show_time(double ms);

// "+1.5 ms", "-20 us", "+0 ns".
std::string show_time_change(double ms);

// A cost in "ms", or in another unit by powers of a thousand.
std::string show_cost(double cost, std::string_view unit);

}  // namespace fxcut
