import Search

/// How a run that stopped early can be gone on with.
enum ContinuationAdvice: String, Sendable, Hashable, JSONForm {
  case none
  /// A record beside the file tells where.
  case resume
  /// Pages are numbered: from the one that is missing.
  case fromPage = "from-page"
  /// Only a run that writes a file can be gone on with.
  case withFile = "with-file"

  init(_ plan: OutputPlan, _ source: Source) {
    if plan.isResumable {
      self = .resume
    } else if plan.target.isFile {
      self = .none
    } else {
      self = source.pagination.style.numbering == nil ? .withFile : .fromPage
    }
  }

  /// One line for the user.
  ///
  /// - Parameter page: the first page that is missing, from 1.
  func text(page: Int) -> String? {
    switch self {
    case .none: nil
    case .resume: "the same command with --resume goes on"
    case .fromPage: "the same command with --from-page \(page) goes on"
    case .withFile: "with --output FILE a run that stops can be gone on with"
    }
  }
}
