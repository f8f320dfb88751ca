#include "model/netcache/clients.h"

#include "model/netcache/messages.h"
#include "sim/error.h"

namespace recirc::model::netcache {

namespace program = pipeline::programs::netcache;

void Clients::ask(Request& request, Message& message) {
  const workloads::PathId path = request.operation.path;
  request.server = world_.ring.owner(request.key);
  message.to = world_.topology.server(request.server);
  message.length = request_length(world_.tree.path_length(path));
  Header header;
  header.kind = workloads::is_read(request.operation.kind) ? program::Kind::read_request
                                                           : program::Kind::write_request;
  header.path = path.value();
  header.key = request.key;
  message.header.set(header);
}

void Clients::answered(Request& request, const Message& message) {
  const auto header = message.header.get<Header>();
  if (header.has(program::hit)) {
    request.answered_by_switch = true;
    request.outcome = Outcome::hit;
    const Metadata record = metadata_in(header);
    if (record.access_time != mark_of(request.operation.path)) {
      throw sim::InvariantBroken("the switch answered with the record of another path");
    }
    request.version = record.version;
    if (!world_.state.may_read(request.operation.path, request.user)) ++unpermitted_;
  } else if (header.has(program::invalid) && request.outcome == Outcome::miss) {
    request.outcome = Outcome::invalid;
  }
}

}  // namespace recirc::model::netcache
