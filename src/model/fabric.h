#pragma once

#include "model/endpoint.h"

namespace recirc::model {

/// Told about messages that the fabric dropped: full queues, recirculation limits, faults.
class LossListener {
 public:
  virtual ~LossListener() = default;
  virtual void lost(RequestHandle payload) = 0;
};

/// Carries messages between endpoints.
class Fabric {
 public:
  virtual ~Fabric() = default;
  /// Starts sending now. The message is copied.
  virtual void send(const Message& message) = 0;
};

}  // namespace recirc::model
