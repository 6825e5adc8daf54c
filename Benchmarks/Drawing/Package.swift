// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// Text and Terminal are no products of riffle: links to their folders make them modules of this package.
let package = Package(
  name: "Drawing",
  targets: [
    .target(name: "Text", swiftSettings: settings),
    .target(name: "CRestore", path: "Sources/Terminal/CRestore"),
    .target(
      name: "Terminal", dependencies: ["Text", "CRestore"], exclude: ["CRestore"], swiftSettings: settings),
    .executableTarget(name: "Drawing", dependencies: ["Terminal", "Text"], swiftSettings: settings),
  ]
)
