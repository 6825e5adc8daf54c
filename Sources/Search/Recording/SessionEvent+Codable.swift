extension SessionEvent: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .searched(let query, let demand):
      json.choice("searched") {
        $0.member("query", query)
        $0.member("demand", demand)
      }
    case .wanted(let demand): json.choice("wanted", demand)
    case .refreshed(let rows): json.choice("refreshed") { $0.member("rows", rows) }
    case .stopped: json.text("stopped")
    case .retried: json.text("retried")
    case .loaded(let page, let request):
      json.choice("loaded") {
        $0.member("for", request)
        $0.member("page", page)
      }
    case .failed(let error, let request, let moment):
      json.choice("failed") {
        $0.member("for", request)
        $0.member("error", error)
        $0.member("at", moment)
      }
    case .reached(let time): json.choice("reached", time)
    case .totalReceived(let reply, let requested):
      json.choice("total-received") {
        $0.member("for", requested)
        $0.member("total", reply.total)
        $0.member("budget", reply.budget)
        $0.member("bucket", reply.bucket)
        $0.member("exchange", reply.exchange)
      }
    case .totalFailed(let error, let requested, let moment):
      json.choice("total-failed") {
        $0.member("for", requested)
        $0.member("error", error)
        $0.member("at", moment)
      }
    case .written(let ordinal, let generation):
      json.choice("written") {
        $0.member("ordinal", ordinal)
        $0.member("generation", generation)
      }
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "searched": .searched(try value.member("query"), try value.member("demand"))
      case "wanted": .wanted(try Demand(json: value))
      case "refreshed": .refreshed(rows: try value.amount("rows"))
      case "stopped": .stopped
      case "retried": .retried
      case "loaded": .loaded(try value.member("page"), for: try value.member("for"))
      case "failed":
        .failed(try value.member("error"), for: try value.member("for"), at: try value.member("at"))
      case "reached": .reached(try value.seconds())
      case "total-received":
        .totalReceived(
          TotalReply(
            try value.member("total"), exchange: try value.member("exchange"),
            budget: try value.member("budget"), bucket: try value.member("bucket")),
          for: try value.member("for"))
      case "total-failed":
        .totalFailed(try value.member("error"), for: try value.member("for"), at: try value.member("at"))
      case "written": .written(try value.amount("ordinal"), generation: try value.amount("generation"))
      default: nil
      }
    }
  }
}
