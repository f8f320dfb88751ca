#pragma once

#include "workloads/trace/line_parser.h"

namespace recirc::workloads::trace {

/// HDFS audit-log lines, as FSNamesystem's default audit logger writes them through log4j:
///
///     2024-05-01 12:00:00,123 INFO FSNamesystem.audit: allowed=true\tugi=u (auth:SIMPLE)\t
///     ip=/10.0.0.1\tcmd=open\tsrc=/a/b\tdst=null\tperm=null\tproto=rpc
///
/// What stands before "allowed=" is the log's layout (level, logger, thread): only a time is looked
/// for in it. Fields are found by their names; cmd, src and dst must be there. A line without
/// "allowed=" (Hadoop before 0.21) was allowed. A tab inside a path is kept, and fields may be
/// parted by blanks when a line holds no tab, as in logs that were copied from a page. Options
/// after a command, as in "rename (options=[OVERWRITE])", are dropped. callerContext ends a line:
/// whatever it holds is no field.
class HdfsAuditParser final : public LineParser {
 public:
  LineKind parse(std::string_view line, RawRecord& record) override;
};

}  // namespace recirc::workloads::trace
