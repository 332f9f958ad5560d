// The nodes of a large graph, built on a second thread while the parser reads the rest of the file:
//
//     parser:   [node 0][node 1][node 2][node 3] ...
//     builder:          [node 0][node 1][node 2] ...
//
// So reading takes as long as the longer of the two, not their sum. The builder has only the names of earlier nodes and
// no places in the file, which is enough for a correct graph. After any mistake its work is dropped and the nodes are
// read again from the complete document, which finds every mistake and its place.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "json/document.h"
#include "json/fields.h"
#include "read/read_nodes.h"
#include "system/threads.h"

namespace fxcut {

// The graph at the top of a document, and the reader for its subgraphs.
struct ReadNodes {
  std::unique_ptr<NodesReader> reader;
  Graph graph;
};

class NodesAhead : public ParseListener {
 public:
  // Smaller documents are read faster without a thread.
  static constexpr std::size_t kWorthAThread = 1 << 20;

  // `text_bytes`: of the document, to estimate the number of nodes.
  NodesAhead(std::string_view torch_version, std::size_t text_bytes)
      : torch_version_(torch_version), text_bytes_(text_bytes) {}
  NodesAhead(const NodesAhead&) = delete;
  NodesAhead& operator=(const NodesAhead&) = delete;
  ~NodesAhead() override;

  void complete(const JsonValue& array, const JsonValue& element) override;
  void before_move() override;

  // The nodes of the document, which is complete by now; none if it has to be read again, with all mistakes.
  std::optional<ReadNodes> take(const JsonValue& root);

  // The list for later mistakes.
  Mistakes& mistakes() { return mistakes_; }

 private:
  using Tickets = std::vector<std::uint32_t>;

  void begin(const JsonValue& array);
  void pass_on();
  void end();
  void build(const Document& document);
  bool wait_for(Tickets& tickets);
  void mark_failed();

  std::string torch_version_;
  std::size_t text_bytes_;

  // The parser's.
  std::optional<std::uint32_t> nodes_;      // the array
  std::optional<std::uint32_t> looked_at_;  // the last array whose key was read: the key may be far from its elements
  Tickets gathered_;

  // Shared by the threads.
  std::mutex mutex_;
  std::condition_variable changed_;
  Tickets passed_on_;
  bool is_idle_ = true;
  bool is_ended_ = false;  // no more nodes follow
  bool has_failed_ = false;   // the builder has failed

  std::future<void> building_;

  // The builder's, while it builds.
  alignas(kCacheLine) Mistakes mistakes_;
  ReadNodes built_;
  NodeNames names_;
};

}  // namespace fxcut
