// Runs an entry over files, and over mutants of them, without libFuzzer.
//
//     replay FILE_OR_DIRECTORY... [--mutate COUNT] [--seed SEED] [--last FILE]
//
// A file NAME.inputs, which pack_corpus writes, has one input per line, with \n, \\ and \xNN for bytes.
// The mutants are the same for the same files, COUNT and SEED. --last saves the text that is being run, so that it survives a
// crash. Exit status 1: something other than a Failure was thrown.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "entry.h"
#include "mutation.h"

namespace fuzz {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::vector<fs::path> files;
  std::uint64_t mutants = 0;
  std::uint64_t seed = 1;
  fs::path last;
};

void add_files(const fs::path& path, std::vector<fs::path>& files) {
  if (!fs::is_directory(path)) {
    files.push_back(path);
    return;
  }
  const auto first = static_cast<std::ptrdiff_t>(files.size());
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && !name.ends_with(".expected.json")) files.push_back(entry.path());
  }
  std::sort(files.begin() + first, files.end());
}

Request parse(const std::vector<std::string>& words) {
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--")) {
      add_files(word, request.files);
    } else if (word == "--mutate") {
      request.mutants = std::stoull(words.at(++i));
    } else if (word == "--seed") {
      request.seed = std::stoull(words.at(++i));
    } else if (word == "--last") {
      request.last = words.at(++i);
    } else {
      throw std::invalid_argument("unknown option " + word);
    }
  }
  if (request.files.empty()) throw std::invalid_argument("expected files to replay");
  return request;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::invalid_argument(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The byte that the escape at `at` stands for; moves `at` past the escape.
char unescaped(const std::string& line, std::size_t& at) {
  const char kind = line.at(at + 1);
  if (kind != 'x') {
    at += 2;
    return kind == 'n' ? '\n' : kind;
  }
  constexpr int kHexadecimal = 16;
  at += 4;
  return static_cast<char>(std::stoi(line.substr(at - 2, 2), nullptr, kHexadecimal));
}

std::vector<std::string> unpacked(const std::string& packed) {
  std::vector<std::string> inputs;
  std::istringstream lines(packed);
  for (std::string line; std::getline(lines, line);) {
    std::string& input = inputs.emplace_back();
    for (std::size_t at = 0; at < line.size();) input += line[at] == '\\' ? unescaped(line, at) : line[at++];
  }
  return inputs;
}

std::vector<std::string> inputs_of(const fs::path& file) {
  if (file.extension() == ".inputs") return unpacked(read_text(file));
  return {read_text(file)};
}

// Whether the entry took it.
bool holds(const std::string& text, const std::string& name, const Request& request) {
  if (!request.last.empty()) std::ofstream(request.last, std::ios::binary) << text;
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    return true;
  } catch (const std::exception& error) {
    std::cerr << name << ": " << error.what() << "\n" << text << "\n";
    return false;
  }
}

int replay(const Request& request) {
  std::vector<std::string> corpus;
  std::size_t bugs = 0;
  for (const fs::path& file : request.files) {
    for (std::string& input : inputs_of(file)) {
      if (!holds(input, file.filename().string(), request)) ++bugs;
      corpus.push_back(std::move(input));
    }
  }
  for (std::uint64_t i = 0; i < request.mutants; ++i) {
    const std::string name = "mutant " + std::to_string(i) + " of seed " + std::to_string(request.seed);
    if (!holds(mutant(corpus, request.seed, i), name, request)) ++bugs;
  }
  std::cout << corpus.size() << " inputs, " << request.mutants << " mutants, " << bugs << " bugs\n";
  return bugs == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fuzz

int main(int argc, char** argv) {
  try {
    return fuzz::replay(fuzz::parse({argv + 1, argv + argc}));
  } catch (const std::exception& error) {
    std::cerr << "replay: " << error.what() << "\n";
    return 2;
  }
}
