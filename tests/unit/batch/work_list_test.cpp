// The graphs named on a command line.
#include "batch/work_list.h"

#include "batch/find_graphs.h"
#include "temporary_directory.h"

namespace fxcut {
namespace {

constexpr const char* kGraph = R"({"format": "fx-joint-graph"})";

class WorkLists : public TemporaryDirectory {
 protected:
  std::vector<WorkItem> list(const std::vector<std::string>& inputs, const std::vector<std::string>& manifests = {}) {
    WorkRequest request{{}, {}, instructions_, directory_ / "out"};
    for (const std::string& input : inputs) request.inputs.push_back((directory_ / input).string());
    for (const std::string& manifest : manifests) request.manifests.push_back((directory_ / manifest).string());
    return make_work_list(request).items;
  }

  // The names, below the directory of the test.
  std::string names(const std::vector<std::string>& inputs, const std::vector<std::string>& manifests = {}) {
    std::string text;
    for (const WorkItem& item : list(inputs, manifests)) text += (text.empty() ? "" : " ") + short_name(item.name);
    return text;
  }

  // The message about them, without the test's directory.
  std::string refusal(const std::vector<std::string>& inputs, ExitStatus status) {
    try {
      list(inputs);
      return "";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), status);
      std::string text;
      for (const Diagnostic& mistake : failure.diagnostics()) {
        text += (text.empty() ? "" : "\n") + mistake.place + ": " + mistake.message;
      }
      const std::string here = directory_.string() + "/";
      for (std::size_t at; (at = text.find(here)) != text.npos;) text.erase(at, here.size());
      for (std::size_t at; (at = text.find(here.substr(1))) != text.npos;) text.erase(at, here.size() - 1);
      return text;
    }
  }

  std::string short_name(const std::string& name) const {
    const std::string prefix = directory_.relative_path().string() + "/";
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  }

  std::shared_ptr<const Instructions> instructions_ = std::make_shared<Instructions>();
};

TEST_F(WorkLists, WalkADirectory) {
  for (const char* const file : {"g/b.json", "g/a.json", "g/c/d.json.gz", "g/c/e.json.zst", "g/notes.txt",
                                 "g/.git/f.json", "g/.h.json", "g/i.expected.json", "g/list.jsonl"}) {
    put(file, kGraph);
  }
  EXPECT_EQ(names({"g"}), "a b c/d c/e i.expected");
}

TEST_F(WorkLists, LeaveOutJsonOfOtherFormats) {
  put("g/a.json", kGraph);
  put("g/compact.json", R"({"version":1,"format":"fx-joint-graph"})");
  put("g/a.expected.json", R"({"graph": "a", "cases": [{"format": "fx-joint-graph"}]})");
  put("g/report.json", R"({"format": "fxcut-report", "version": 1})");
  put("g/list.json", "[1, 2]");
  put("g/damaged.json", R"({"version": 1, "nodes": [)");
  EXPECT_EQ(names({"g"}), "a compact damaged") << "a damaged file may have been a graph";
  EXPECT_EQ(names({"g/report.json"}), "g/report") << "a file that is named is not left out";
}

TEST_F(WorkLists, DoNotLookIntoTheOutputDirectory) {
  put("a.json", kGraph);
  put("out/graphs/a/forward.json", kGraph);
  EXPECT_EQ(names({"."}), "a");
}

// out/ as a batch leaves it, with a graph in it that is none of its own.
TEST_F(WorkLists, LeaveResultsOutHoweverTheyAreNamed) {
  put("a.json", kGraph);
  put("b/c.json", kGraph);
  for (const char* const file : {"graphs/a/forward.json", "graphs/a/result.json", "graphs/b/c/result.json",
                                 "unfinished/0-of-1/7/forward.json", "shards/work_list.json", "shards/0-of-1.jsonl",
                                 "results.jsonl", "summary.json", "model.json", "ranks.json"}) {
    put(std::string("out/") + file, kGraph);
  }
  EXPECT_EQ(names({"*"}), "a c");
  EXPECT_EQ(names({"a.json", "b", "out"}), "a c") << "as a shell expands it";
  EXPECT_EQ(names({"*/*.json"}), "b/c");
  EXPECT_EQ(names({"*/*.json*"}), "b/c");
  EXPECT_EQ(names({"*/*/*", "*/*/*/*", "*/*/*/*/*"}), "");
  EXPECT_EQ(names({"out", "out/graphs", "out/graphs/b", "out/graphs/a/forward.json", "out/summary.json"}), "");
  put("out/graphs/mine.json", kGraph);
  EXPECT_EQ(names({"out"}), "graphs/mine") << "the output directory may have graphs of its own";
}

TEST_F(WorkLists, TakeALinkThatLeadsNowhereSoThatItFailsAlone) {
  put("g/a.json", kGraph);
  put("elsewhere/b.json", kGraph);
  std::filesystem::create_symlink("nowhere.json", directory_ / "g/dangling.json");
  std::filesystem::create_symlink("../elsewhere/b.json", directory_ / "g/link.json");
  std::filesystem::create_directory_symlink("../elsewhere", directory_ / "g/walked_once");
  EXPECT_EQ(names({"g"}), "a dangling link");
  EXPECT_EQ(names({"g/*.json"}), "g/a g/dangling g/link");
  EXPECT_EQ(names({"g/dangling.json"}), "g/dangling");
}

TEST_F(WorkLists, ExpandGlobs) {
  for (const char* const file : {"g/b.json", "g/a.json", "h/a.json", "h/sub/c.json"}) put(file, kGraph);
  EXPECT_EQ(names({"*/a.json"}), "g/a h/a");
  EXPECT_EQ(names({"[h]/*"}), "h/a c") << "a directory that it matches is walked";
  EXPECT_EQ(refusal({"x*"}, ExitStatus::FileTrouble), "x*: no such file, and no file matches it as a pattern");
}

TEST_F(WorkLists, TakeAFileByItsWholeName) {
  put("what[1]*.json", kGraph);
  EXPECT_EQ(names({"what[1]*.json"}), "what[1]*");
}

TEST(Names, ArePathsBelowTheOutputDirectory) {
  EXPECT_EQ(name_of("a.json"), "a");
  EXPECT_EQ(name_of("./g/../h/a.json.gz"), "h/a");
  EXPECT_EQ(name_of("../../g/a.json.zst"), "g/a");
  EXPECT_EQ(name_of("/data/a.b.json"), "data/a.b");
  EXPECT_EQ(name_of("rank_0.log"), "rank_0");
}

TEST_F(WorkLists, ReadManifests) {
  put("m.jsonl", "{\"graph\": \"g/a.json\"}\r\n\n"
                 "  {\"graph\": \"g/b.json\", \"name\": \"second\", \"settings\": {\"recompute_views\": true}}\n"
                 "{\"graph\": \"g/c.json\", \"policy\": \"p.json\"}\n"
                 "{\"graph\": \"g/d.json\", \"policy\": {\"version\": 1, \"policies\": []}}");
  put("p.json", R"({"version": 1, "policies": [{"builtin": "must_save_all"}]})");
  put("g/a.json", "12345");
  const std::vector<WorkItem> items = list({"m.jsonl"});
  ASSERT_EQ(items.size(), 4);
  EXPECT_EQ(items[0].name, "g/a");
  EXPECT_EQ(items[0].file, (directory_ / "g/a.json").string()) << "relative to the manifest";
  EXPECT_EQ(items[0].instructions, instructions_);
  EXPECT_EQ(items[0].size_bytes, 5);
  EXPECT_EQ(items[1].name, "second");
  EXPECT_TRUE(items[1].instructions->settings.recompute_views);
  EXPECT_EQ(items[1].size_bytes, 0) << "that it is not there is for its own result to say";
  EXPECT_EQ(items[2].instructions->policies.size(), 1);
  EXPECT_EQ(items[3].instructions->policies.size(), 0);
  put("list", "{\"graph\": \"g/a.json\"}");
  EXPECT_EQ(names({}, {"list"}), "g/a") << "whatever it is called";
}

TEST_F(WorkLists, TellEveryMistakeOfAManifestWithItsLine) {
  put("m.jsonl", "{\"graph\": \"a.json\", \"nam\": \"b\"}\n\n"
                 "{\"graph\":\n"
                 "{\"settings\": {}}\n"
                 "{\"graph\": 3}\n"
                 "{\"graph\": \"a.json\", \"settings\": {\"cse\": 7, \"recompute_vews\": true}}\n"
                 "{\"graph\": \"a.json\", \"policy\": \"nowhere.json\"}\n"
                 "{\"graph\": \"a.json\", \"settings\": {\"saved_bytes_limit\": \"1GB\"}}\n"
                 "[]");
  EXPECT_EQ(refusal({"m.jsonl"}, ExitStatus::BadInput),
            "m.jsonl:1:21: /nam: unknown member 'nam'\n"
            "m.jsonl:3:10: this is not JSON: syntax error while parsing value - unexpected end of input; "
            "expected '[', '{', or a literal\n"
            "m.jsonl:4:1: top level: missing 'graph', a string\n"
            "m.jsonl:5:11: /graph: expected a string, found an integer\n"
            "m.jsonl:6:41: /settings/cse: setting 'cse' is '7'; expected true or false\n"
            "m.jsonl:6:44: /settings/recompute_vews: unknown setting 'recompute_vews'\n"
            "m.jsonl:7: nowhere.json: cannot be read: No such file or directory\n"
            "m.jsonl:8: a limit of saved bytes is for the solver frontier, but the solver is dp\n"
            "m.jsonl:9:1: top level: expected an object, found an array");
}

TEST_F(WorkLists, RefuseNamesThatAreInEachOthersWay) {
  for (const char* const file : {"g/a.json", "g/a.json.gz", "h/a/b.json"}) put(file, kGraph);
  EXPECT_EQ(refusal({"g"}, ExitStatus::Usage),
            "g/a.json.gz: its results would have the name 'a', like those of g/a.json");
  put("h/a.json", kGraph);
  EXPECT_EQ(refusal({"h"}, ExitStatus::Usage),
            "h/a/b.json: its results, 'a/b', would be inside those of h/a.json, 'a'");
  put("m.jsonl", R"({"graph": "g/a.json", "name": "../x"})");
  EXPECT_EQ(refusal({"m.jsonl"}, ExitStatus::Usage),
            "m.jsonl:1: '../x' cannot name a directory for results");
  for (const std::string name : {"", "/x", "x/", ".", "x/./y"}) {
    put("m.jsonl", R"({"graph": "g/a.json", "name": ")" + name + R"("})");
    EXPECT_NE(refusal({"m.jsonl"}, ExitStatus::Usage), "") << name;
  }
  put("m.jsonl", R"({"graph": "g/a.json", "name": "x//y"})");
  EXPECT_EQ(names({"m.jsonl"}), "x/y");
  put("m.jsonl", R"({"graph": "g/a.json", "name": "x//y"})" "\n" R"({"graph": "g/a.json", "name": "x/y"})");
  EXPECT_EQ(refusal({"m.jsonl"}, ExitStatus::Usage), "m.jsonl:2: its results would have the name 'x/y', like those of m.jsonl:1");
}

TEST_F(WorkLists, NamesThatNoJsonCanHoldFailAlone) {
  put("g/a.json", kGraph);
  put("g/b\xff.json", kGraph);
  const std::vector<WorkItem> items = list({"g"});
  ASSERT_EQ(items.size(), 2);
  EXPECT_FALSE(items[0].failure);
  ASSERT_TRUE(items[1].failure);
  EXPECT_EQ(items[1].failure->diagnostics()[0].message, "its name is not UTF-8");
}

TEST_F(WorkLists, ALogIsTheGraphsInIt) {
  const std::string graph = "class joint(torch.nn.Module):\n"
                            "    def forward(self, primals_1: \"f32[4][1]cpu\", tangents_1: \"f32[4][1]cpu\"):\n"
                            "        return (primals_1, tangents_1)\n";
  put("trace/dedicated_log_torch_trace_rank_0_x.log", graph + graph);
  put("trace/notes.log", "nothing of the kind");
  const std::vector<WorkItem> items = list({"trace"});
  ASSERT_EQ(items.size(), 2);
  EXPECT_EQ(items[0].name, "dedicated_log_torch_trace_rank_0_x/joint");
  EXPECT_EQ(items[1].name, "dedicated_log_torch_trace_rank_0_x/joint_2");
  for (const WorkItem& item : items) {
    ASSERT_TRUE(item.text);
    EXPECT_EQ(item.size_bytes, item.text->size());
    EXPECT_FALSE(item.failure);
  }
}

TEST_F(WorkLists, ALogThatCannotBeReadIsOneBadGraph) {
  put("rank_0.log", "nothing of the kind");
  const std::vector<WorkItem> items = list({"rank_0.log"});
  ASSERT_EQ(items.size(), 1);
  EXPECT_EQ(short_name(items[0].name), "rank_0");
  ASSERT_TRUE(items[0].failure);
  EXPECT_EQ(items[0].failure->status(), ExitStatus::BadInput);
}

TEST_F(WorkLists, ABadGraphInALogFailsAlone) {
  const auto record = [](int frame, const std::string& operand) {
    return "V1 f.py:1] {\"aot_joint_graph\": {}, \"frame_id\": " + std::to_string(frame) + "}\n"
           "\tclass joint(torch.nn.Module):\n"
           "\t    def forward(self, primals_1: \"f32[4][1]cpu\", tangents_1: \"f32[4][1]cpu\"):\n"
           "\t        return (" + operand + ", tangents_1)\n";
  };
  const std::string whole = record(2, "primals_1");
  const std::string cut_in_the_graph = record(3, "primals_1").substr(0, whole.size() - 60);
  const std::string cut_in_the_record = "V1 f.py:1] {\"aot_joint_graph\": {}, \"frame";
  put("rank_0.log", record(0, "primals_1") + record(1, "nobody") + whole + cut_in_the_graph + "\n" + cut_in_the_record);
  const std::vector<WorkItem> items = list({"rank_0.log"});
  std::string told;
  for (const WorkItem& item : items) told += short_name(item.name) + (item.failure ? " fails\n" : "\n");
  EXPECT_EQ(told, "rank_0/joint_0\nrank_0/joint_1 fails\nrank_0/joint_2\nrank_0/joint_3 fails\n"
                  "rank_0/record_in_line_16 fails\n");
}

TEST_F(WorkLists, AreDistinguished) {
  put("g/a.json", kGraph);
  put("g/b.json", kGraph);
  const std::vector<WorkItem> items = list({"g"});
  const std::string id = work_list_id(items, "1");
  EXPECT_EQ(work_list_id(list({"g"}), "1"), id);
  EXPECT_NE(work_list_id(items, "2"), id);
  EXPECT_NE(work_list_id({items[1], items[0]}, "1"), id);
  EXPECT_NE(work_list_id({items[0]}, "1"), id);
  std::vector<WorkItem> other = items;
  other[1].size_bytes = 3;
  EXPECT_NE(work_list_id(other, "1"), id);
  auto saving = std::make_shared<Instructions>();
  saving->settings.cse = false;
  other = items;
  other[1].instructions = saving;
  EXPECT_NE(work_list_id(other, "1"), id);
}

}  // namespace
}  // namespace fxcut
