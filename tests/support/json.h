// SPDX-License-Identifier: MIT
// A small JSON reader (RFC 8259) for fixture files. Tests only: it throws, recurses and keeps whole
// documents in memory. It shares nothing with the library's own parser, which makes reading one
// file with both a differential check.
#ifndef HEED_TESTS_SUPPORT_JSON_H_
#define HEED_TESTS_SUPPORT_JSON_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heed::test {

class Json {
 public:
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

  static Json Parse(std::string_view text) {
    Parser parser{text};
    Json value = parser.Value();
    parser.Space();
    if (parser.at != text.size()) parser.Fail("end of text");
    return value;
  }

  Kind kind() const { return kind_; }
  bool Bool() const { return Expect(Kind::kBool, "bool").number_ != 0.0; }
  double Number() const { return Expect(Kind::kNumber, "number").number_; }
  int64_t Int() const { return static_cast<int64_t>(Number()); }
  size_t Size() const { return static_cast<size_t>(Number()); }
  const std::string& String() const { return Expect(Kind::kString, "string").string_; }
  const std::vector<Json>& Array() const { return Expect(Kind::kArray, "array").array_; }
  const std::map<std::string, Json>& Object() const {
    return Expect(Kind::kObject, "object").object_;
  }

  bool Has(const std::string& key) const { return Object().count(key) != 0; }

  const Json& operator[](const std::string& key) const {
    const auto found = Object().find(key);
    if (found == object_.end()) throw std::runtime_error("JSON: no key '" + key + "'");
    return found->second;
  }

  template <class T>
  std::vector<T> Numbers() const {
    std::vector<T> values;
    for (const Json& item : Array()) values.push_back(static_cast<T>(item.Number()));
    return values;
  }

 private:
  struct Parser {
    std::string_view text;
    size_t at = 0;

    [[noreturn]] void Fail(const std::string& expected) const {
      throw std::runtime_error("JSON: expected " + expected + " at byte " + std::to_string(at));
    }
    void Space() {
      while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != text.npos) ++at;
    }
    bool Take(char c) {
      Space();
      if (at >= text.size() || text[at] != c) return false;
      ++at;
      return true;
    }
    void Need(char c) {
      if (!Take(c)) Fail(std::string("'") + c + "'");
    }
    bool Word(std::string_view word) {
      if (text.substr(at, word.size()) != word) return false;
      at += word.size();
      return true;
    }

    Json Value() {
      Space();
      Json value;
      if (Take('{')) {
        value.kind_ = Kind::kObject;
        if (Take('}')) return value;
        do {
          Space();
          const std::string key = String();
          Need(':');
          if (!value.object_.emplace(key, Value()).second) Fail("a new key, not '" + key + "'");
        } while (Take(','));
        Need('}');
      } else if (Take('[')) {
        value.kind_ = Kind::kArray;
        if (Take(']')) return value;
        do value.array_.push_back(Value());
        while (Take(','));
        Need(']');
      } else if (at < text.size() && text[at] == '"') {
        value.kind_ = Kind::kString;
        value.string_ = String();
      } else if (Word("null")) {
        value.kind_ = Kind::kNull;
      } else if (Word("true")) {
        value.kind_ = Kind::kBool;
        value.number_ = 1.0;
      } else if (Word("false")) {
        value.kind_ = Kind::kBool;
      } else {
        value.kind_ = Kind::kNumber;
        value.number_ = Number();
      }
      return value;
    }

    double Number() {
      const size_t end = text.find_first_not_of("+-0123456789.eE", at);
      const std::string digits(text.substr(at, end == text.npos ? text.npos : end - at));
      char* stop = nullptr;
      const double number = std::strtod(digits.c_str(), &stop);
      if (digits.empty() || *stop != '\0') Fail("a value");
      at += digits.size();
      return number;
    }

    std::string String() {
      if (at >= text.size() || text[at] != '"') Fail("a string");
      ++at;
      std::string out;
      while (at < text.size() && text[at] != '"') {
        const char c = text[at++];
        if (c != '\\') {
          out += c;
          continue;
        }
        if (at >= text.size()) break;
        const char escape = text[at++];
        const size_t simple = std::string_view("\"\\/bfnrt").find(escape);
        if (simple != std::string_view::npos) {
          out += "\"\\/\b\f\n\r\t"[simple];
        } else if (escape == 'u') {
          out += CodeUnit();
        } else {
          Fail("an escape");
        }
      }
      if (at >= text.size()) Fail("'\"'");
      ++at;
      return out;
    }

    // UTF-8 of one \uXXXX. Surrogate pairs do not occur in fixtures and are refused.
    std::string CodeUnit() {
      const std::string digits(text.substr(at, 4));
      char* stop = nullptr;
      const unsigned long unit = std::strtoul(digits.c_str(), &stop, 16);
      if (digits.size() != 4 || *stop != '\0') Fail("four hex digits");
      if (unit >= 0xD800 && unit < 0xE000) Fail("no surrogate");
      at += 4;
      if (unit < 0x80) return {static_cast<char>(unit)};
      if (unit < 0x800) return {static_cast<char>(0xC0 | unit >> 6), Tail(unit)};
      return {static_cast<char>(0xE0 | unit >> 12), Tail(unit >> 6), Tail(unit)};
    }
    static char Tail(unsigned long bits) { return static_cast<char>(0x80 | (bits & 0x3F)); }
  };

  const Json& Expect(Kind kind, const char* name) const {
    if (kind_ != kind) throw std::runtime_error(std::string("JSON: value is not a ") + name);
    return *this;
  }

  Kind kind_ = Kind::kNull;
  double number_ = 0.0;
  std::string string_;
  std::vector<Json> array_;
  std::map<std::string, Json> object_;
};

}  // namespace heed::test

#endif  // HEED_TESTS_SUPPORT_JSON_H_
