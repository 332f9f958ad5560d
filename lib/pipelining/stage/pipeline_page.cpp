#include "stage/pipeline_page.h"

#include <nlohmann/json.hpp>

#include "html/template.h"

namespace fxcut {

std::string pipeline_page(const PipelineReport& report, std::string_view version) {
  return filled_in(pipeline_template(), report.schedule_name + ": a pipeline", data_text(pipeline_document(report, version)));
}

}  // namespace fxcut
