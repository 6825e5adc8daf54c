/// The source documents compiled into the program.
enum BuiltInSources {
  static let documents: [(name: String, text: String)] = [
    ("unicode", PackageResources.unicode_toml),
    ("github", PackageResources.github_toml),
    ("github-issues", PackageResources.github_issues_toml),
    ("github-users", PackageResources.github_users_toml),
    ("github-code", PackageResources.github_code_toml),
    ("github-graphql", PackageResources.github_graphql_toml),
    ("qiita", PackageResources.qiita_toml),
    ("hn", PackageResources.hn_toml),
    ("wikipedia", PackageResources.wikipedia_toml),
    ("stackoverflow", PackageResources.stackoverflow_toml),
    ("crates", PackageResources.crates_toml),
    ("npm", PackageResources.npm_toml),
    ("dockerhub", PackageResources.dockerhub_toml),
    ("gitlab", PackageResources.gitlab_toml),
    ("huggingface", PackageResources.huggingface_toml),
    ("openlibrary", PackageResources.openlibrary_toml),
    ("crossref", PackageResources.crossref_toml),
    ("openalex", PackageResources.openalex_toml),
    ("wordpress", PackageResources.wordpress_toml),
    ("datasette", PackageResources.datasette_toml),
    ("registry", PackageResources.registry_toml),
    ("elasticsearch", PackageResources.elasticsearch_toml),
  ].map { ($0.0, String(decoding: $0.1, as: UTF8.self)) }
}
