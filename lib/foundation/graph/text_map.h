// Values by text, for as many as a graph has nodes: a search in a std::unordered_map waits for memory three or four
// times, here twice. An open-addressing table with linear probing (Knuth, The Art of Computer Programming 3, 6.4,
// algorithm L) has 32 bits of each text's hash and the number of its entry; entries are in the order of insertion.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace fxcut {

template <typename Value>
class TextMap {
 public:
  struct Entry {
    std::string_view text;  // not owned, must outlive the map
    Value value;
  };

  // Reserves room for about `entries`.
  void reserve(std::size_t entries) {
    entries_.reserve(entries);
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(entries + entries / 2, 16));
    if (slots > slots_.size()) resize(slots);
  }

  // Null if there is none.
  Value* find(std::string_view text) {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[position(text, hash_of(text))];
    return slot.entry == kFree ? nullptr : &entries_[slot.entry].value;
  }
  const Value* find(std::string_view text) const { return const_cast<TextMap*>(this)->find(text); }

  // The text's value, set to `value` if the text is new, and whether it is.
  std::pair<Value&, bool> emplace(std::string_view text, Value value) {
    if (entries_.size() >= slots_.size() / 3 * 2) reserve(2 * entries_.size());
    const std::uint32_t hash = hash_of(text);
    Slot& slot = slots_[position(text, hash)];
    if (slot.entry != kFree) return {entries_[slot.entry].value, false};
    entries_.push_back({text, std::move(value)});
    slot = {hash, static_cast<std::uint32_t>(entries_.size() - 1)};
    return {entries_.back().value, true};
  }

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t entry = kFree;
  };

  static std::uint32_t hash_of(std::string_view text) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
  }

  // The text's slot, or the free one for it.
  std::size_t position(std::string_view text, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].entry != kFree && (slots_[at].hash != hash || entries_[slots_[at].entry].text != text)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  void resize(std::size_t slots) {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots));
    for (const Slot& slot : before) {
      if (slot.entry == kFree) continue;
      std::size_t at = slot.hash & (slots - 1);
      while (slots_[at].entry != kFree) at = (at + 1) & (slots - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most two thirds in use
  std::vector<Entry> entries_;
};

}  // namespace fxcut
