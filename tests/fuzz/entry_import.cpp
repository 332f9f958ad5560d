// Text that PyTorch prints, in each form: imported; what comes of it is read and partitioned.
#include <string_view>

#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "import/import.h"
#include "partition/partition.h"
#include "read/read_graph.h"

namespace {

using namespace fxcut;

void import_as(ImportFormat format, std::string_view text) {
  ImportRequest request;
  request.format = format;
  try {
    for (const ImportedGraph& graph : import_graphs(text, "log", request)) {
      partition(read_joint_graph(*Document::parse(graph.json, graph.name)), Settings{});
    }
  } catch (const Failure&) {
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const ImportFormat format : {ImportFormat::Text, ImportFormat::Trace, ImportFormat::Export}) {
    import_as(format, text);
  }
  return 0;
}
