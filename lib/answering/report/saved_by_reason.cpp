#include "report/saved_by_reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/int128.h"
#include "graph/value.h"
#include "report/layers.h"
#include "report/reasons.h"
#include "text/printable.h"
#include "text/quantities.h"
#include "text/table.h"
#include "text/text_style.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxGroups = 6;  // 60 lines with the totals: a heading, five rows and "... more" each
constexpr std::size_t kMaxRowsPerGroup = 5;
constexpr std::size_t kFewRows = 24;  // in all groups: up to this many, all are shown
constexpr std::size_t kMaxNameColumns = 26;

struct ShownRow {
  std::string name, type, place;
  std::size_t values = 0;
  Int128 bytes = 0;
};

struct ReasonGroup {
  std::string reason;         // as all its values share it
  std::string text;           // of its first value
  bool has_one_text = true;   // it is the text of all
  std::size_t values = 0, symbols = 0;  // besides values, symbolic sizes
  Int128 bytes = 0;
  Int128 bytes_of_forms = 0;   // of all of them, if they are saved in fewer bits
  std::vector<ShownRow> rows;  // most bytes first
};

std::string with_state(std::string why, const SavedValue& saved) {
  if (saved.static_lifetime) why += "; always resident";
  if (!saved.host_name.empty()) why += "; offloaded to the host";
  if (saved.compressed) why += "; saved as " + show_form(*saved.compressed);
  return why;
}

std::string show_type(const SavedValue& value) {
  return value.dtype.empty() ? value.op : fmt::format("{} {}", value.dtype, show_shape(value.shape));
}

std::vector<ShownRow> folded_rows(const std::vector<const SavedValue*>& values) {
  std::vector<ModuleRow> of_modules;
  for (const SavedValue* value : values) {
    const std::string& module = value->provenance.module;
    of_modules.push_back({module, fmt::format("{}\n{}\n{}\n{}", value->op, show_type(*value), value->size_bytes,
                                              module.empty() ? show_place(value->provenance) : "")});
  }
  std::vector<ShownRow> rows;
  for (const FoldedRows& folded : fold_rows(of_modules)) {
    const SavedValue& first = *values[folded.rows.front()];
    rows.push_back({first.name, show_type(first), folded.path.empty() ? show_place(first.provenance) : folded.path,
                    folded.rows.size(), Int128{first.size_bytes} * static_cast<Int128>(folded.rows.size())});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const ShownRow& a, const ShownRow& b) { return a.bytes > b.bytes; });
  return rows;
}

std::vector<ReasonGroup> group_by_reason(const Report& report) {
  std::vector<ReasonGroup> groups;
  std::vector<std::vector<const SavedValue*>> values;  // by group
  std::unordered_map<std::string, std::size_t> group_of;
  for (const auto* saved : {&report.saved_values, &report.saved_opaques, &report.saved_symbols}) {
    for (const SavedValue& value : *saved) {
      const std::string text = show_why(value);
      const auto [found, is_new] = group_of.try_emplace(with_state(general_reason(value.why), value), groups.size());
      if (is_new) {
        groups.push_back({found->first, text, true, 0, 0, 0, 0, {}});
        values.emplace_back();
      }
      ReasonGroup& group = groups[found->second];
      values[found->second].push_back(&value);
      group.has_one_text = group.has_one_text && group.text == text;
      group.bytes += value.size_bytes;
      if (value.compressed) group.bytes_of_forms += value.compressed->crossing_bytes();
      ++(saved == &report.saved_symbols ? group.symbols : group.values);
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) groups[g].rows = folded_rows(values[g]);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const ReasonGroup& a, const ReasonGroup& b) { return a.bytes > b.bytes; });
  return groups;
}

std::string show_amount(Int128 bytes) { return show_bytes(static_cast<std::int64_t>(bytes)); }

// The rows that a group shows; the last one counts those that are left out.
std::vector<ShownRow> shown_rows(const std::vector<ShownRow>& rows, std::size_t most) {
  if (rows.size() <= most + 1) return rows;  // a line that counts one row is no shorter than that row
  std::vector<ShownRow> shown(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(most));
  ShownRow rest{"... more", "", "", 0, 0};
  for (std::size_t i = most; i < rows.size(); ++i) {
    rest.bytes += rows[i].bytes;
    rest.values += rows[i].values;
  }
  shown.push_back(rest);
  return shown;
}

std::vector<std::string> cells_of(const ShownRow& row) {
  return {"  " + show_amount(row.bytes), row.values > 1 ? fmt::format("x{}", row.values) : "",
          shortened(printable(row.name), kMaxNameColumns), printable(row.type), printable(row.place)};
}

// A text for each row of all groups, with common columns.
std::vector<std::string> lines_of(const std::vector<ReasonGroup>& groups) {
  std::vector<std::vector<std::string>> rows;
  for (const ReasonGroup& group : groups) {
    for (const ShownRow& row : group.rows) rows.push_back(cells_of(row));
  }
  std::vector<std::string> lines;
  std::istringstream table(show_columns_within(rows, "rllll"));
  for (std::string line; std::getline(table, line);) lines.push_back(line + "\n");
  return lines;
}

std::string show_counts(std::size_t values, std::size_t symbols) {
  if (symbols == 0) return show_count(values, "value");
  return (values > 0 ? show_count(values, "value") + " and " : "") + show_count(symbols, "symbolic size");
}

std::string heading_of(const ReasonGroup& group) {
  const std::string bytes_of_forms = group.bytes_of_forms > 0 ? " as " + show_amount(group.bytes_of_forms) : "";
  return printable(fmt::format("{}{}, {}: {}", show_amount(group.bytes), bytes_of_forms, show_counts(group.values, group.symbols),
                               group.has_one_text ? group.text : group.reason)) +
         "\n";
}

// Cuts the list to the largest groups, each with at least a thousandth of all bytes, and returns a line that counts the others.
std::string cut_groups(std::vector<ReasonGroup>& groups, std::size_t most) {
  Int128 all = 0;
  for (const ReasonGroup& group : groups) all += group.bytes;
  const auto is_small = [&](const ReasonGroup& group) { return group.bytes * 1000 < all; };
  most = std::min(most, static_cast<std::size_t>(std::ranges::find_if(groups, is_small) - groups.begin()));
  if (groups.size() <= most) return "";
  Int128 bytes = 0;
  std::size_t values = 0, symbols = 0;
  for (std::size_t i = most; i < groups.size(); ++i) {
    bytes += groups[i].bytes;
    values += groups[i].values;
    symbols += groups[i].symbols;
  }
  const std::string others = fmt::format("{}, {}: {}\n", show_amount(bytes), show_counts(values, symbols),
                                         show_count(groups.size() - most, "other reason"));
  groups.resize(most);
  return others;
}

}  // namespace

std::string show_why(const SavedValue& saved) { return with_state(saved.why.text, saved); }

std::string show_saved_by_reason(const Report& report) {
  std::vector<ReasonGroup> groups = group_by_reason(report);
  if (groups.empty()) return "";
  std::size_t rows = 0, values = 0;
  for (const ReasonGroup& group : groups) {
    rows += group.rows.size();
    values += group.values + group.symbols;
  }
  std::string others;
  const bool is_cut = rows > kFewRows || text_style().limit;
  if (is_cut) {
    others = cut_groups(groups, kMaxGroups);
    for (ReasonGroup& group : groups) group.rows = shown_rows(group.rows, text_style().limit.value_or(kMaxRowsPerGroup));
  }
  std::string text = "SAVED VALUES\n";
  const std::vector<std::string> lines = lines_of(groups);
  auto line = lines.begin();
  for (const ReasonGroup& group : groups) {
    text += heading_of(group);
    for (std::size_t i = 0; i < group.rows.size(); ++i) text += *line++;
  }
  text += others;
  if (rows < values || is_cut) text += "(--all shows each value in a row of its own)\n";
  return text;
}

}  // namespace fxcut
