#include "batch/index_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batch/output_tree.h"
#include "html/template.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json row_of(const Json& line, const std::string& page) {
  Json row = {{"name", line.at("name")}, {"status", line.at("status")}};
  if (line.at("status") != "done") {
    const auto errors = line.find("errors");
    if (errors != line.end() && !errors->empty()) row["message"] = errors->front().value("message", "");
    return row;
  }
  const Json& totals = line.at("totals");
  row["page"] = page;
  row["decided_by"] = line.at("decided_by");
  row["saved_bytes"] = totals.at("saved_bytes");
  row["held_bytes"] = totals.value("held_bytes", totals.at("saved_bytes_not_static"));
  row["recomputed_flops"] = totals.at("recomputed_flops");
  row["recomputed_ms"] = totals.at("recomputed_picoseconds").get<double>() / kPicosecondsPerMs;
  row["recomputed_operators"] = totals.at("recomputed_operators");
  row["peak_bytes"] = totals.at("peak_bytes");
  return row;
}

}  // namespace

std::string link_to(const fs::path& path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string link;
  for (const char c : path.generic_string()) {
    link += kPlain.find(c) != kPlain.npos ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return link;
}

std::string index_page(const std::vector<std::string>& lines, const IndexPlaces& places) {
  const fs::path from = fs::absolute(places.index).parent_path();
  const std::string title = fs::absolute(places.directory).lexically_normal().filename().string();
  Json graphs = Json::array();
  for (const std::string& text : lines) {
    const Json line = Json::parse(text);
    const fs::path page = graph_directory(fs::absolute(places.directory), line.at("name").get<std::string>()) / kPageFile;
    graphs.push_back(row_of(line, link_to(page.lexically_relative(from))));
  }
  const std::string name = title.empty() ? "batch" : title;
  return filled_in(batch_template(), name + ": a batch", data_text({{"title", name}, {"graphs", graphs}}));
}

}  // namespace fxcut
