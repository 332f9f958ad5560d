// The page of a pipeline: what each rank runs and holds over time, and its stages.
#pragma once

#include <string>
#include <string_view>

#include "stage/pipeline_report.h"

namespace fxcut {

// The complete file, of assets/pipeline.html (html/template.h). Its data is pipeline_document(); `version` is the program's.
std::string pipeline_page(const PipelineReport& report, std::string_view version);

}  // namespace fxcut
