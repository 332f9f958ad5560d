#include "compiled/recorded_memory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "json/fields.h"

namespace fxcut {
namespace {

struct Event {
  enum class Kind : std::uint8_t { Alloc, Free, Reserve, Release } kind;
  std::uint64_t address;
  std::int64_t size_bytes;
  JsonValue json;
};

constexpr std::pair<std::string_view, Event::Kind> kActions[] = {
    {"alloc", Event::Kind::Alloc},           {"free_requested", Event::Kind::Free},    {"segment_alloc", Event::Kind::Reserve},
    {"segment_map", Event::Kind::Reserve},   {"segment_free", Event::Kind::Release},   {"segment_unmap", Event::Kind::Release},
};

using Blocks = std::map<std::uint64_t, RecordedBlock>;  // in use, by address

std::vector<StackFrame> frames_in(const JsonValue& entry, Mistakes& mistakes) {
  std::vector<StackFrame> frames;
  const auto list = member(entry, "frames");
  if (!list || !list->is(JsonValue::Type::Array)) return frames;
  for (const JsonValue json : *list) {
    const Members frame(json, mistakes);
    frames.push_back({frame.text("filename"), frame.size("line"), frame.text("name")});
  }
  return frames;
}

std::vector<Event> events_in(const JsonValue& trace, Mistakes& mistakes) {
  std::vector<Event> events;
  if (!expect(trace, JsonValue::Type::Array, "", mistakes)) return events;
  for (const JsonValue json : trace) {
    const Members entry(json, mistakes);
    const std::string action = entry.text("action");
    const auto known = std::ranges::find(kActions, action, &std::pair<std::string_view, Event::Kind>::first);
    if (known == std::end(kActions)) continue;  // actions that neither take nor free memory
    events.push_back({known->second, static_cast<std::uint64_t>(entry.count("addr")), entry.count("size"), json});
  }
  return events;
}

struct Device {
  std::vector<Event> events;
  Blocks in_use;            // at the end
  Int128 reserved_bytes = 0;  // at the end
};

void add_segments(const JsonValue& segments, std::map<std::int64_t, Device>& devices, Mistakes& mistakes) {
  for (const JsonValue json : segments) {
    const Members segment(json, mistakes);
    Device& device = devices[segment.count("device")];
    device.reserved_bytes += segment.count("total_size");
    const auto blocks = segment.array("blocks");
    if (!blocks) continue;
    auto address = static_cast<std::uint64_t>(segment.count("address"));
    for (const JsonValue block_json : *blocks) {
      const Members block(block_json, mistakes);
      const std::int64_t size = block.count("size");
      if (block.text("state") == "active_allocated") {
        const std::int64_t requested = block.find("requested_size") ? block.count("requested_size") : size;
        device.in_use[address] = {address, requested, true, frames_in(block_json, mistakes)};
      }
      address += static_cast<std::uint64_t>(size);
    }
  }
}

// The blocks in use at the first event.
Blocks before(const Device& device) {
  Blocks found;
  std::set<std::uint64_t> known;  // addresses that have occurred in an event
  for (const Event& event : device.events) {
    if (event.kind == Event::Kind::Free && known.insert(event.address).second) {
      found[event.address] = {event.address, event.size_bytes, true, {}};
    }
    if (event.kind == Event::Kind::Alloc) known.insert(event.address);
  }
  for (const auto& [address, block] : device.in_use) {
    if (!known.contains(address)) found[address] = block;
  }
  return found;
}

// The blocks after the first `count` events.
class Replay {
 public:
  explicit Replay(const Device& device) : device_(device), blocks_(before(device)), reserved_bytes_(device.reserved_bytes) {
    for (const auto& [address, block] : blocks_) bytes_ += block.size_bytes;
    for (const Event& event : device.events) {
      if (event.kind == Event::Kind::Reserve) reserved_bytes_ -= event.size_bytes;
      if (event.kind == Event::Kind::Release) reserved_bytes_ += event.size_bytes;
    }
  }

  void apply(const Event& event, Mistakes* frames_wanted) {
    switch (event.kind) {
      case Event::Kind::Reserve: reserved_bytes_ += event.size_bytes; return;
      case Event::Kind::Release: reserved_bytes_ -= event.size_bytes; return;
      case Event::Kind::Free: take_away(event.address); return;
      case Event::Kind::Alloc: break;
    }
    take_away(event.address);
    blocks_[event.address] = {event.address, event.size_bytes, false,
                              frames_wanted ? frames_in(event.json, *frames_wanted) : std::vector<StackFrame>()};
    bytes_ += event.size_bytes;
  }

  const Device& device() const { return device_; }
  Int128 bytes() const { return bytes_; }
  Int128 reserved_bytes() const { return reserved_bytes_; }
  const Blocks& blocks() const { return blocks_; }

 private:
  void take_away(std::uint64_t address) {
    const auto found = blocks_.find(address);
    if (found == blocks_.end()) return;
    bytes_ -= found->second.size_bytes;
    blocks_.erase(found);
  }

  const Device& device_;
  Blocks blocks_;
  Int128 bytes_ = 0, reserved_bytes_;
};

struct Highest {
  Int128 bytes = 0;
  std::size_t events = 0;  // before the current moment
};

Highest highest_of(const Device& device) {
  Replay replay(device);
  Highest highest{replay.bytes(), 0};
  for (std::size_t i = 0; i < device.events.size(); ++i) {
    replay.apply(device.events[i], nullptr);
    if (replay.bytes() > highest.bytes) highest = {replay.bytes(), i + 1};
  }
  return highest;
}

RecordedPeak peak_of(const Device& device, std::size_t events, Mistakes& mistakes) {
  Replay replay(device);
  for (std::size_t i = 0; i < events; ++i) replay.apply(device.events[i], &mistakes);
  RecordedPeak peak{0, replay.bytes(), replay.reserved_bytes(), {}};
  for (const auto& [address, block] : replay.blocks()) peak.blocks.push_back(block);
  std::ranges::stable_sort(peak.blocks, std::greater{}, &RecordedBlock::size_bytes);
  return peak;
}

std::map<std::int64_t, Device> devices_in(const JsonValue& root, Mistakes& mistakes) {
  std::map<std::int64_t, Device> devices;
  const Members snapshot(root, mistakes);
  const auto segments = snapshot.array("segments"), traces = snapshot.array("device_traces");
  std::int64_t number = 0;
  if (traces) {
    for (const JsonValue trace : *traces) devices[number++].events = events_in(trace, mistakes);
  }
  if (segments) add_segments(*segments, devices, mistakes);
  return devices;
}

}  // namespace

RecordedPeak recorded_peak(std::string text, std::string_view file) {
  if (text.starts_with('\x80')) {
    throw Failure(ExitStatus::BadInput, {{std::string(file), "this is a pickle, as PyTorch writes a snapshot; JSON was expected",
                                          "turn it with 'fxcut-snapshot', which pip installs with fxcut"}});
  }
  const auto document = Document::parse(std::move(text), std::string(file));
  Mistakes mistakes;
  const std::map<std::int64_t, Device> devices = devices_in(document->root(), mistakes);
  mistakes.raise();
  std::optional<std::int64_t> chosen;
  Highest highest;
  for (const auto& [number, device] : devices) {
    const Highest of_device = highest_of(device);
    if (of_device.bytes <= highest.bytes) continue;
    chosen = number;
    highest = of_device;
  }
  if (!chosen) {
    throw Failure(ExitStatus::BadInput, {{std::string(file), "no block is in use in this snapshot, and no event allocates one",
                                          "call torch.cuda.memory._record_memory_history() before the training step"}});
  }
  RecordedPeak peak = peak_of(devices.at(*chosen), highest.events, mistakes);
  mistakes.raise();
  peak.device = static_cast<std::size_t>(*chosen);
  return peak;
}

}  // namespace fxcut
