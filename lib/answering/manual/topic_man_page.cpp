#include "manual/topic_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fxcut {
namespace {

using Kind = TopicBlock::Kind;

// Escapes characters with a meaning in troff. Dashes in code are ASCII, so that it can be copied from the page.
std::string escaped(std::string_view text, bool is_code) {
  std::string roff;
  for (const char c : text) {
    switch (c) {
      case '\\': roff += "\\e"; break;
      case '\'': roff += "\\(aq"; break;
      case '`': roff += "\\(ga"; break;
      case '^': roff += "\\(ha"; break;
      case '~': roff += "\\(ti"; break;
      case '|': roff += "\\(ba"; break;  // separates the cells of tables
      case '-': roff += is_code ? "\\-" : "-"; break;
      default: roff += c;
    }
  }
  return roff;
}

// Text at the beginning of a line, with `code` in bold.
std::string inline_roff(std::string_view text) {
  std::string roff = text.starts_with('.') ? "\\&" : "";
  for (bool is_code = false;; is_code = !is_code) {
    const std::size_t end = std::min(text.find('`'), text.size());
    const std::string part = escaped(text.substr(0, end), is_code);
    roff += is_code ? "\\fB" + part + "\\fR" : part;
    if (end == text.size()) return roff;
    text.remove_prefix(end + 1);
  }
}

std::string code_roff(std::string_view lines) {
  std::string roff = ".RS 2\n.EX\n";
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    if (lines.starts_with('.')) roff += "\\&";
    roff += escaped(lines.substr(0, end), true) + "\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return roff + ".EE\n.RE\n";
}

// A cell in T{ T} is broken into lines.
std::string table_roff(const TopicBlock& table) {
  std::string head, body;
  for (std::size_t c = 0; c < table.alignment.size(); ++c) {
    const std::string_view space = c == 0 ? "" : " ";
    head += fmt::format("{}{}b", space, table.alignment[c]);
    body += fmt::format("{}{}{}", space, table.alignment[c], c + 1 == table.alignment.size() ? "x" : "");
  }
  std::string roff = fmt::format(".TS\ntab(|);\n{}\n{}.\n", head, body);
  for (const std::vector<std::string>& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool is_last = c + 1 == row.size();
      roff += is_last ? fmt::format("T{{\n{}\nT}}\n", inline_roff(row[c])) : inline_roff(row[c]) + "|";
    }
  }
  return roff + ".TE\n";
}

// Blocks that begin a paragraph without a macro of their own that does so.
bool is_paragraph(const TopicBlock& block) {
  return block.kind == Kind::Paragraph || block.kind == Kind::Code || block.kind == Kind::Table;
}

std::string block_roff(const TopicBlock& block) {
  switch (block.kind) {
    case Kind::Heading:
      return block.level == 2 ? fmt::format(".SH {}\n", inline_roff(in_capitals(block.text)))
                              : fmt::format(".SS {}\n", inline_roff(block.text));
    case Kind::Paragraph: return inline_roff(block.text) + "\n";
    case Kind::Item: return ".IP \\(bu 2\n" + inline_roff(block.text) + "\n";
    case Kind::Code: return code_roff(block.text);
    case Kind::Table: return table_roff(block);
    case Kind::Definition: return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(block.term, true), inline_roff(block.text));
  }
  return "";
}

}  // namespace

std::string topic_man_page(const TopicText& topic, std::string_view version) {
  std::string roff = fmt::format("'\\\" t\n.TH FXCUT-{} 7 \"\" \"fxcut {}\" \"fxcut\"\n.SH NAME\nfxcut-{} \\- {}\n",
                                 in_capitals(topic.name), version, topic.name, inline_roff(topic.summary));
  if (!topic.blocks.empty() && topic.blocks.front().kind != Kind::Heading) roff += ".SH DESCRIPTION\n";
  bool is_begun = true;  // a section: its first block needs no .PP
  for (const TopicBlock& block : topic.blocks) {
    if (!is_begun && is_paragraph(block)) roff += ".PP\n";
    roff += block_roff(block);
    is_begun = block.kind == Kind::Heading;
  }
  return roff + ".SH SEE ALSO\n.BR fxcut (1),\n.B fxcut help topics\n";
}

}  // namespace fxcut
