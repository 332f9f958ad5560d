// Code that inductor generates, damaged: replayed and shown in each format.
#include <string>

#include "compiled/operators_memory.h"
#include "compiled/show_compiled.h"
#include "diagnostic/diagnostic.h"
#include "entry.h"

using namespace fxcut;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const CompiledFile found = find_compiled_code(text, "log");
    CompiledMemory memory{found.producer, replay_steps(found.codes), found.notes};
    add_operators(memory.steps, "log", text);
    compiled_memory_text(memory);
    compiled_memory_json(memory);
    compiled_memory_perfetto(memory);
    compiled_memory_snapshot(memory);
  } catch (const Failure&) {
  }
  return 0;
}
