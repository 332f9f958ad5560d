// The page of a pipeline: when each rank runs what and what it holds, and its stages.
#pragma once

#include <string>
#include <string_view>

#include "pipelining/pipeline_report.h"

namespace fxcut {

// The complete file, of assets/pipeline.html (html/template.h). Its data is pipeline_document(); `version` is the program's.
std::string pipeline_page(const PipelineReport& report, std::string_view version);

}  // namespace fxcut
