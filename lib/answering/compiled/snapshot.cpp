// The form is that of torch.cuda.memory._snapshot (its TypedDicts Segment, Block, Frame and TraceEntry). Addresses are ours:
// blocks that outlive the step are at the beginning of its segment, all others after them, each at its own address.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "compiled/pickle.h"
#include "compiled/recorded_memory.h"
#include "compiled/show_compiled.h"
#include "graph/device_blocks.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

// The first address of each step, and the largest one, exceeded only by impossible sizes.
constexpr std::int64_t kFirstAddress = std::int64_t{1} << 44, kLastAddress = std::int64_t{1} << 52;

std::int64_t rounded(std::int64_t bytes) { return rounded_as_allocated(std::min(bytes, kLastAddress)); }

struct AddressedBlock {
  const MemoryBlock* block;
  std::int64_t address;
  std::int64_t size;  // on the device: a CPU's allocator does not round up
};

Json frames_of(const StepMemory& step, const MemoryBlock& block) {
  const std::size_t line = block.first < step.moments.size() ? step.moments[block.first].line : 0;
  const std::string name = fmt::format("{} {}", fmt::join(block.names, "="), block.made_by);
  Json frames = {{{"filename", step.file}, {"line", line}, {"name", name}}};
  if (const std::size_t colon = block.source.rfind(':'); colon != std::string::npos) {
    frames.push_back({{"filename", block.source.substr(0, colon)},
                      {"line", std::atoll(block.source.c_str() + colon + 1)},
                      {"name", block.node}});
  }
  return frames;
}

std::vector<AddressedBlock> with_addresses(const StepMemory& step) {
  std::vector<AddressedBlock> addressed;
  std::int64_t address = kFirstAddress;
  for (const bool is_kept : {true, false}) {
    for (const MemoryBlock& block : step.blocks) {
      if (!step.is_counted(block) || block.size_bytes.value_or(0) == 0) continue;
      if ((block.last >= step.moments.size()) != is_kept) continue;
      const std::int64_t size = allocates_blocks(step.device) ? rounded(*block.size_bytes) : *block.size_bytes;
      addressed.push_back({&block, address, size});
      address = std::min(address + rounded(size), kLastAddress);
    }
  }
  return addressed;
}

Json trace_entry(std::string_view action, const StepMemory& step, const AddressedBlock& addressed, std::size_t moment) {
  return {{"action", action}, {"addr", addressed.address},    {"size", addressed.size}, {"stream", 0},
          {"time_us", moment}, {"frames", frames_of(step, *addressed.block)}};
}

Json trace_of(const StepMemory& step, const std::vector<AddressedBlock>& addressed) {
  std::multimap<std::size_t, Json> by_moment;  // allocations of a moment before its frees
  for (const AddressedBlock& one : addressed) {
    by_moment.emplace(2 * one.block->first, trace_entry("alloc", step, one, one.block->first));
  }
  for (const AddressedBlock& one : addressed) {
    if (one.block->last >= step.moments.size()) continue;
    by_moment.emplace(2 * one.block->last + 1, trace_entry("free_requested", step, one, one.block->last));
    by_moment.emplace(2 * one.block->last + 1, trace_entry("free_completed", step, one, one.block->last));
  }
  Json trace = Json::array();
  for (auto& [moment, entry] : by_moment) trace.push_back(std::move(entry));
  return trace;
}

Json segment_of(const StepMemory& step, const std::vector<AddressedBlock>& addressed, std::size_t device) {
  Json blocks = Json::array();
  std::int64_t bytes = 0;
  for (const AddressedBlock& one : addressed) {
    if (one.block->last < step.moments.size()) continue;
    blocks.push_back({{"address", one.address}, {"size", rounded(one.size)}, {"requested_size", *one.block->size_bytes},
                      {"state", "active_allocated"}, {"frames", frames_of(step, *one.block)}});
    bytes = std::min(bytes + rounded(one.size), kLastAddress);
  }
  return {{"device", device},        {"address", kFirstAddress},  {"total_size", bytes},
          {"allocated_size", bytes}, {"active_size", bytes},      {"requested_size", bytes},
          {"stream", 0},             {"segment_type", "large"},   {"segment_pool_id", Json::array({0, 0})},
          {"is_expandable", false},  {"frames", Json::array()},   {"blocks", blocks}};
}

}  // namespace

std::string compiled_memory_snapshot(const CompiledMemory& memory) {
  Json segments = Json::array(), traces = Json::array();
  for (std::size_t s = 0; s < memory.steps.size(); ++s) {
    const std::vector<AddressedBlock> addressed = with_addresses(memory.steps[s]);
    segments.push_back(segment_of(memory.steps[s], addressed, s));
    traces.push_back(trace_of(memory.steps[s], addressed));
  }
  return pickled({{"segments", segments},
                  {"device_traces", traces},
                  {"allocator_settings", Json::object()},
                  {"external_annotations", Json::array()}});
}

}  // namespace fxcut
