extension PageError: JSONCodable {
  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("kind", kind)
      $0.member("status", status)
      $0.member("message", message)
      $0.member("service_message", serviceMessage)
      $0.member("remedy", remedy)
      $0.member("repeat", canRepeat)
      $0.member("wait", wait)
      $0.member("wait_at_least", waitAtLeast)
      $0.member("budget", budget)
      $0.member("bucket", bucket)
      $0.member("exchange", exchange)
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self.init(
      try json.member("kind"), status: try json.member("status"), message: try json.member("message"),
      remedy: try json.member("remedy"), canRepeat: try json.member("repeat"), wait: try json.seconds("wait"),
      waitAtLeast: try json.seconds("wait_at_least"), budget: try json.member("budget"),
      bucket: try json.member("bucket"), serviceMessage: try json.member("service_message"))
    exchange = try json.member("exchange")
  }
}

extension PageError.Kind: JSONCodable {}

extension PageError.Repeat: JSONCodable {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .never: json.text("never")
    case .freely: json.text("freely")
    case .atMost(let count): json.choice("at-most", count)
    case .afterRestart: json.text("after-restart")
    }
  }

  package init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "never": .never
      case "freely": .freely
      case "at-most": .atMost(try value.amount())
      case "after-restart": .afterRestart
      default: nil
      }
    }
  }
}
