/// The source documents compiled into the program.
enum BuiltInSources {
  static let documents: [(name: String, text: String)] = [
    ("unicode", PackageResources.unicode_toml), ("github", PackageResources.github_toml),
    ("qiita", PackageResources.qiita_toml),
  ].map { ($0.0, String(decoding: $0.1, as: UTF8.self)) }
}
