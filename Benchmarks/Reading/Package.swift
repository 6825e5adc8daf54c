// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// Search and Text are no products of riffle: links to their folders make them modules of this package.
let package = Package(
  name: "Reading",
  targets: [
    .target(name: "Text", swiftSettings: settings),
    .target(name: "Search", dependencies: ["Text"], swiftSettings: settings),
    .executableTarget(
      name: "Reading", dependencies: ["Search"], swiftSettings: settings,
      linkerSettings: [.linkedLibrary("m")]),
  ]
)
