// A recorded answer with something that nothing compares is refused, so that it does not pass in silence.
#include "recorded_answers.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace fxcut {
namespace {

class RecordedAnswers : public testing::Test {
 protected:
  void TearDown() override { std::remove(answers_path().c_str()); }

  std::string graph_path() const {
    return testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
  }
  std::string answers_path() const { return graph_path().substr(0, graph_path().size() - 5) + ".expected.json"; }
  RecordedAnswer read() const {
    std::ofstream(answers_path()) << file_;
    return read_answer({graph_path(), 0});
  }
  Json& answer() { return file_["cases"][0]; }

  Json file_ = Json::parse(R"({"graph": "g", "oracle": "torch 2.15.0+cpu", "flops": {}, "cases": [
    {"partitioner": "default", "config": {"cse": false}, "cuts": [], "saved_values": []}]})");
};

TEST_F(RecordedAnswers, AreReadWithTheirSettings) {
  const RecordedAnswer read_back = read();
  EXPECT_EQ(read_back.graph, "g");
  EXPECT_EQ(read_back.oracle, "torch 2.15.0+cpu");
  EXPECT_EQ(read_back.settings, Json({{"cse", false}, {"partitioner", "default"}}));
}

TEST_F(RecordedAnswers, UnknownKindsAreRefused) {
  answer()["offloaded_values"] = Json::array({"mm"});
  EXPECT_THROW(read(), std::runtime_error);
}

TEST_F(RecordedAnswers, WithMoreOnACutAreRefused) {
  answer()["cuts"] = {{{"cut_value", 1}, {"banned", Json::array()}}};
  EXPECT_THROW(read(), std::runtime_error);
}

TEST_F(RecordedAnswers, WithMoreBesideTheCasesAreRefused) {
  file_["subgraphs"] = Json::object();
  EXPECT_THROW(read(), std::runtime_error);
}

TEST_F(RecordedAnswers, RefusalsThatAlsoAnswerAreRefused) {
  answer()["error"] = "RuntimeError";
  EXPECT_THROW(read(), std::runtime_error);
}

}  // namespace
}  // namespace fxcut
