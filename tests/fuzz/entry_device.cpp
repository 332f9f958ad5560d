// A device profile: read, and a budget's partition made with the run times that it gives.
#include <memory>
#include <string_view>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "known_graph.h"
#include "partition/partition.h"
#include "read/read_settings.h"

using namespace fxcut;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    Settings settings;
    const auto document = Document::parse(std::string(text), "device.json");
    settings.own_device = std::make_shared<const DeviceProfile>(read_device_profile(*document));
    settings.activation_memory_budget = 0.5;
    settings.activation_memory_budget_runtime_estimator = *find_row(estimators(), "roofline");
    partition(known_graph(), settings);
  } catch (const Failure&) {
  }
  return 0;
}
