// usage: fxcut_reading GRAPH.json [RUNS]
//        fxcut_reading --sax GRAPH.json
// Compares the time of reading a graph with a lower bound for readers on nlohmann-json, its SAX parser with a handler that does
// nothing, and with simdjson's DOM, which holds the whole document as our tape does. All run in turn on one text in memory; the
// least of all runs counts, by the clock and in processor time of all threads; freeing is not measured. With --sax it prints the
// seconds of one run of that parser, and does nothing else.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "read/nodes_ahead.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

using Json = nlohmann::json;

struct NothingHandler {
  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(Json::number_integer_t) { return true; }
  bool number_unsigned(Json::number_unsigned_t) { return true; }
  bool number_float(Json::number_float_t, const Json::string_t&) { return true; }
  bool string(Json::string_t&) { return true; }
  bool binary(Json::binary_t&) { return true; }
  bool start_object(std::size_t) { return true; }
  bool key(Json::string_t&) { return true; }
  bool end_object() { return true; }
  bool start_array(std::size_t) { return true; }
  bool end_array() { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }
};

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The least of all runs.
struct Least {
  double seconds = std::numeric_limits<double>::max();
  double cpu = std::numeric_limits<double>::max();

  template <typename Work>
  auto measure(const Work& work) {
    const double begin = clock_seconds(), cpu_begin = cpu_seconds();
    auto result = work();
    seconds = std::min(seconds, clock_seconds() - begin);
    cpu = std::min(cpu, cpu_seconds() - cpu_begin);
    return result;
  }
};

// Reads as fxcut reads a large graph: on two threads.
auto read_ahead(std::string text, const std::string& path) {
  NodesAhead ahead(kAsProducer, text.size());
  const auto document = Document::parse(std::move(text), path, &ahead);
  return std::pair(document, read_joint_graph(*document, kAsProducer, &ahead));
}

// Goes through the text with nlohmann's parser.
void measure_sax(Least& sax, const std::string& text, const std::string& path) {
  const bool is_json = sax.measure([&] {
    NothingHandler nothing;
    return Json::sax_parse(text, &nothing);
  });
  if (is_json) return;
  fmt::print(stderr, "{}: this is not JSON\n", path);
  std::exit(1);
}

void print_sax_seconds(const std::string& path) {
  Least sax;
  measure_sax(sax, read_file(path), path);
  fmt::print("{:.6f}\n", sax.seconds);
}

void compare(const std::string& path, int runs) {
  const std::string text = read_file(path);
  const simdjson::padded_string padded(text);
  Least sax, tape, graph, reading, simd;
  std::size_t nodes = 0;
  for (int run = 0; run < runs; ++run) {
    measure_sax(sax, text, path);
    std::string own = text;
    {
      const auto document = tape.measure([&] { return Document::parse(std::move(own), path); });
      nodes = graph.measure([&] { return std::optional(read_joint_graph(*document)); })->graph.size();
    }
    own = text;
    reading.measure([&] { return read_ahead(std::move(own), path); });
    simdjson::dom::parser parser;
    if (simd.measure([&] { return parser.parse(padded).error(); }) != simdjson::SUCCESS) std::exit(1);
  }
  const auto show = [&](const char* what, const Least& least) {
    fmt::print("{:<38} {:>9.1f} {:>9.1f} {:>9.2f} {:>14.2f} {:>12.2f}\n", what, least.seconds * 1e3, least.cpu * 1e3,
               least.seconds * 1e6 / static_cast<double>(nodes), least.seconds / sax.seconds, least.cpu / sax.cpu);
  };
  fmt::print("{}: {} nodes, {:.1f} MB, {} runs\n", path, nodes, static_cast<double>(text.size()) / 1e6, runs);
  fmt::print("{:<38} {:>9} {:>9} {:>9} {:>14} {:>12}\n", "", "ms", "cpu ms", "us/node", "of SAX's ms", "of its cpu");
  show("nlohmann's SAX parser, doing nothing", sax);
  show("text to tape, by that parser", tape);
  show("tape to graph, after that", graph);
  show("reading: text to tape to graph at once", reading);
  show("simdjson, text to its DOM", simd);
}

}  // namespace
}  // namespace fxcut

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: fxcut_reading GRAPH.json [RUNS]\n       fxcut_reading --sax GRAPH.json\n");
    return 2;
  }
  if (argc == 3 && std::string_view(argv[1]) == "--sax") {
    fxcut::print_sax_seconds(argv[2]);
    return 0;
  }
  fxcut::compare(argv[1], argc == 3 ? std::max(1, std::atoi(argv[2])) : 5);
}
