#include "report/show_report.h"

#include <fmt/format.h>

#include <iterator>

#include "graph/value.h"
#include "report/crossing_rows.h"
#include "text/escaping.h"

namespace fxcut {
namespace {

// The kind, dtype and bytes, with scales, of the form that crosses; empty cells for a value that crosses as it is.
std::string form_cells(const SavedValue& value) {
  if (!value.compressed) return ",,";
  return fmt::format("{},{},{}", name_of(value.compressed->how), value.compressed->dtype, value.compressed->crossing_bytes());
}

}  // namespace

std::string report_csv(const Report& report) {
  std::string text =
      "kind,name,operator,dtype,shape,bytes,kept_bytes,static_lifetime,offloaded,module,source_file,source_line,"
      "forward_output,backward_input,reason,why,compressed,compressed_dtype,compressed_bytes\n";
  for (const CrossingRow& row : crossing_rows(report)) {
    const SavedValue& value = row.value;
    const Provenance& from = value.provenance;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", name_of(row.kind),
                   csv_field(value.name), csv_field(value.op), csv_field(value.dtype),
                   value.dtype.empty() ? "" : csv_field(show_shape(value.shape)), value.size_bytes, value.kept_bytes,
                   value.static_lifetime, !value.host_name.empty(), csv_field(from.module), csv_field(from.source_file),
                   from.source_file.empty() ? "" : std::to_string(from.source_line), value.forward_output,
                   value.backward_input, csv_field(value.why.reason), csv_field(value.why.text), form_cells(value));
  }
  return text;
}

}  // namespace fxcut
