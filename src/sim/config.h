#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/document.h"
#include "sim/config/field_info.h"
#include "sim/config/issues.h"
#include "sim/config/visitor.h"

/// Configurations. A struct lists its fields once and gets a strict reader, a writer of effective
/// configurations, a JSON Schema and a generated reference:
///
///     // server.h
///     struct ServerConfig {
///       std::uint32_t workers = 20;
///       sim::Duration store_time = sim::microseconds(43);
///     };
///     void describe(sim::config::Visitor& v, ServerConfig& c);
///     void validate(const ServerConfig& c, sim::config::Issues& issues);  // optional
///
///     // server.cpp
///     void describe(sim::config::Visitor& v, ServerConfig& c) {
///       v.field("workers", c.workers,
///               {.doc = "Front-end threads of a server.",
///                .from = sim::config::paper("Fletch §IX-A"), .min = 1, .max = 4096});
///       v.field("store_time", c.store_time,
///               {.doc = "Time of one operation in the store.",
///                .from = sim::config::derived("23 kops/s a server"),
///                .min = sim::nanoseconds(1), .max = sim::seconds(10), .example = "43us"});
///     }
///
///     auto document = sim::config::Document::load("server.json");
///     document.set("/workers=8");
///     const auto config = sim::config::read<ServerConfig>(document);  // ConfigError lists all
///
/// names_of(), describe() and validate() must be declared in the header of the type they are for:
/// the templates find them there by argument-dependent lookup.
namespace recirc::sim::config {

/// Reads every described field from the document; fields left out,
/// or null, keep their value. Adds to
/// `issues`; the object is usable only if none came.
void read_into(const Group& target, const Document& document, Issues& issues);

/// The whole effective configuration: every field, with its unit, in the order described. Reading
/// it back gives the same object.
[[nodiscard]] nlohmann::ordered_json effective_of(const Group& source);
[[nodiscard]] std::string effective_text_of(const Group& source, int indent = 2);

/// Pointer and value (as JSON text) of every leaf of the effective configuration, in order.
using FlatList = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] FlatList flat_of(const Group& source);
/// Pointer and provenance ("paper: Fletch §IX-A") of every field that has one, in order.
[[nodiscard]] FlatList provenances_of(const Group& source);

/// JSON Schema (draft 2020-12) of what read() accepts, comments and nulls
/// for fields left out apart; defaults are the object's
/// values. Ranges of quantities and cross-field rules stand in descriptions only. This and
/// reference_of() write to the object while they look at every kind of every choice.
[[nodiscard]] nlohmann::ordered_json schema_of(const Group& defaults, std::string_view title);
[[nodiscard]] std::string schema_text_of(const Group& defaults, std::string_view title);
/// The reference in Markdown: one table a group, one line a field.
[[nodiscard]] std::string reference_of(const Group& defaults, std::string_view title);

/// Throws ConfigError with every issue of the document.
template <class T>
[[nodiscard]] T read(const Document& document, T defaults = T{}) {
  Issues issues;
  read_into(group_of(defaults), document, issues);
  issues.throw_if_any();
  return defaults;
}

// The visitors may write to what they visit, so these work on a copy. effective() and schema()
// return nlohmann::ordered_json: include json.hpp where you call them.
template <class T>
[[nodiscard]] auto effective(T config) {
  return effective_of(group_of(config));
}
template <class T>
[[nodiscard]] std::string effective_text(T config, int indent = 2) {
  return effective_text_of(group_of(config), indent);
}
template <class T>
[[nodiscard]] FlatList flat(T config) {
  return flat_of(group_of(config));
}
template <class T>
[[nodiscard]] FlatList provenances(T config) {
  return provenances_of(group_of(config));
}
template <class T>
[[nodiscard]] auto schema(std::string_view title, T defaults = T{}) {
  return schema_of(group_of(defaults), title);
}
template <class T>
[[nodiscard]] std::string schema_text(std::string_view title, T defaults = T{}) {
  return schema_text_of(group_of(defaults), title);
}
template <class T>
[[nodiscard]] std::string reference(std::string_view title, T defaults = T{}) {
  return reference_of(group_of(defaults), title);
}

}  // namespace recirc::sim::config
