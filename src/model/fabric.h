#pragma once

#include "model/endpoint.h"
#include "sim/error.h"

namespace recirc::model {

/// Owns what messages carry. Every message has a payload of its own.
class PayloadKeeper {
 public:
  virtual ~PayloadKeeper() = default;
  /// The fabric has dropped the message: full queues, recirculation limits, faults.
  virtual void lost(RequestHandle payload) = 0;
  /// The fabric sends the message twice: the payload of the copy.
  virtual RequestHandle duplicated(RequestHandle payload) = 0;
  /// Tells one message from all others of the run, whatever else is in it.
  [[nodiscard]] virtual std::uint64_t identity(RequestHandle payload) const = 0;
};

/// Carries messages between endpoints.
class Fabric {
 public:
  virtual ~Fabric() = default;
  /// Starts sending now. The message is copied.
  virtual void send(const Message& message) = 0;
  /// The payload of one more message about the same request.
  virtual RequestHandle copy_payload(RequestHandle /*payload*/) {
    throw sim::InvariantBroken("a fabric that does not copy payloads was asked to");
  }
};

}  // namespace recirc::model
