import Search

/// How a run that stopped early can be continued.
enum ResumeHint: Sendable, Hashable {
  case none
  /// With `--resume`: a progress file exists.
  case resume
  /// With `--from-page`: pages are numbered. The page size is given if the default would differ.
  case fromPage(pageSize: Int?)
  /// Only a run that writes a file can be continued.
  case withFile

  init(_ plan: OutputPlan, _ run: Run) {
    if plan.isResumable {
      self = .resume
    } else if plan.target.isFile {
      self = .none
    } else if run.source.pagination.style.numbering == nil {
      self = .withFile
    } else {
      self = .fromPage(pageSize: run.pageSize == run.usualPageSize ? nil : run.pageSize)
    }
  }

  /// One line for the user.
  ///
  /// - Parameter page: The first missing page, from 1.
  func text(page: Int) -> String? {
    switch self {
    case .none: nil
    case .resume: "run the same command with --resume to continue"
    case .fromPage(let pageSize):
      "run the same command with \(pageSize.map { "--page-size \($0) " } ?? "")--from-page \(page) to continue"
    case .withFile: "use --output FILE to make a run resumable"
    }
  }
}

extension ResumeHint: JSONCodable {
  func write(to json: inout JSONWriter) {
    switch self {
    case .none: json.text("none")
    case .resume: json.text("resume")
    case .fromPage(let pageSize): json.choice("from-page") { $0.member("page_size", pageSize) }
    case .withFile: json.text("with-file")
    }
  }

  init(json: JSONValue) throws(JSONCodingError) {
    self = try json.choose { (name, value) throws(JSONCodingError) in
      switch name {
      case "none": ResumeHint.none
      case "resume": .resume
      case "from-page": .fromPage(pageSize: try value.size("page_size"))
      case "with-file": .withFile
      default: nil
      }
    }
  }
}
