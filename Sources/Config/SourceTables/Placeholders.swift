import Search

/// The names that the templates of a source may place, and what stands for them when a template is tried.
struct Placeholders {
  let options: [SourceOption]

  /// Those of every source.
  static let fixed = ["query", "page_size", "app", "version", "homepage"]

  func option(_ name: String) -> SourceOption? { options.first { $0.name == name } }

  /// A template that places only what there is.
  func template(_ text: String) throws(ValueProblem) -> Template {
    let template: Template
    do { template = try Template(text) } catch { throw ValueProblem("\(error)") }
    for name in template.names where !Self.fixed.contains(name) && option(name) == nil {
      throw ValueProblem(problem(of: name))
    }
    return template
  }

  private func problem(of name: String) -> String {
    if name.hasPrefix("secret:") {
      return "a secret in a template is \(Wording.notSupported); use [auth]"
    }
    let names = Self.fixed + options.map(\.name)
    return "nothing is called {\(name)}; \(Wording.suggestion(for: name, among: names))"
  }

  /// The template with a value of each option and a letter for what is typed.
  func sample(_ template: Template) -> String {
    template.filled { name in option(name)?.defaultValue.flatMap { $0.isEmpty ? nil : $0 } ?? "x" } ?? ""
  }
}
