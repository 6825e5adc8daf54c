// swift-tools-version: 6.2
import PackageDescription

#if canImport(Glibc)
  import Glibc
#endif

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// For the modules of the program.
///
/// - In a release build, a module may use the code of the ones below it, not only their interface.
/// - A generic type is made from what the compiler knows of its arguments. Otherwise the runtime makes it from its name, and
///   looks through every conformance of the program, once for each such type that a run meets. In the released program,
///   this also holds for the packages (`Sources/riffle/Release/toolset.json`), and a generic type has no place of its own for
///   the types made from it, 900 kB of which most would never be used.
///
/// The library has none of these flags, since packages with such flags cannot be depended on.
let programSettings =
  settings + [
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
    .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"]),
  ]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1"].map {
  .product(name: $0, package: "swift-nio")
}

/// For programs, options of lld.
///
/// - Nothing loads symbols from the program. While all are exported, none of the unused ones can be left out, and what is
///   left out need not be in memory.
/// - Relocations are packed, if the C library can read them. They are 2 MB otherwise, which each start reads.
let smallProgram =
  ["--no-export-dynamic"] + (isGlibc(atLeast: (2, 36)) ? ["-z", "pack-relative-relocs"] : [])

/// The libraries of the C++ compiler, inside the program if their archives are installed: two libraries fewer are loaded at each
/// start. The linker finds the script `libstdc++.so` before the library.
let ownCompilerLibraries =
  exists("/usr/lib/gcc/*/*/libstdc++.a") && exists("/usr/lib/gcc/*/*/libgcc_eh.a")
  ? ["-Xclang-linker", "-static-libgcc", "-L\(Context.packageDirectory)/Sources/riffle/Release"] : []

/// The functions that usual runs need stand together in the program.
let functionOrder = [
  "--symbol-ordering-file=\(Context.packageDirectory)/Sources/riffle/Release/function-order.generated.txt",
  "--no-warn-symbol-ordering",
]

func lld(_ options: [String]) -> [LinkerSetting] {
  [
    .unsafeFlags(
      ["-use-ld=lld"] + ownCompilerLibraries + options.flatMap { ["-Xlinker", $0] },
      .when(platforms: [.linux], configuration: .release))
  ]
}

func exists(_ pattern: String) -> Bool {
  #if canImport(Glibc)
    var found = glob_t()
    defer { globfree(&found) }
    return glob(pattern, 0, nil, &found) == 0
  #else
    return false
  #endif
}

func isGlibc(atLeast minimum: (Int, Int)) -> Bool {
  #if canImport(Glibc)
    var text = [CChar](repeating: 0, count: 64)
    guard confstr(CInt(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return false }
    // "glibc 2.36"
    let name = String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let numbers = name.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count >= 2 && (numbers[0], numbers[1]) >= minimum
  #else
    return false
  #endif
}

let package = Package(
  name: "riffle",
  // Of the library. The program is for Linux.
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "FeedbackLoop", targets: ["FeedbackLoop"]),
    .library(name: "FeedbackLoopTesting", targets: ["FeedbackLoopTesting"]),
    .library(name: "FeedbackLoopSwiftTesting", targets: ["FeedbackLoopSwiftTesting"]),
    .executable(name: "riffle", targets: ["riffle"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .target(name: "FeedbackLoop", swiftSettings: settings),
    .target(name: "FeedbackLoopTesting", dependencies: ["FeedbackLoop"], swiftSettings: settings),
    // Apart, since it links Swift Testing, which a program that uses the manual clock must not need.
    .target(
      name: "FeedbackLoopSwiftTesting", dependencies: ["FeedbackLoopTesting"], swiftSettings: settings),
    .target(name: "Text", swiftSettings: programSettings),
    .target(name: "JSON", swiftSettings: programSettings),
    .target(name: "HTTPValues", dependencies: ["JSON"], swiftSettings: programSettings),
    .target(name: "Search", dependencies: ["HTTPValues", "JSON", "Text"], swiftSettings: programSettings),
    .target(
      name: "Detection", dependencies: ["CYAML", "HTTPValues", "JSON", "Search", "Text"], exclude: ["CYAML"],
      swiftSettings: programSettings),
    // The reading half of libyaml. The package that wraps it needs all of Foundation, which is half of the program.
    .target(
      name: "CYAML", path: "Sources/Detection/CYAML", exclude: ["License"],
      cSettings: [.define("YAML_DECLARE_STATIC")]),
    .target(
      name: "HTTPTransport",
      dependencies: [
        "CZlib", "FeedbackLoop", "HTTPValues", "JSON", "Text",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOSOCKS", package: "swift-nio-extras"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ] + nio,
      exclude: ["CZlib"], swiftSettings: programSettings),
    // The C library of the system; the client's own compression links it already.
    .systemLibrary(name: "CZlib", path: "Sources/HTTPTransport/CZlib"),
    .target(name: "CRestore", path: "Sources/Terminal/CRestore"),
    .target(
      name: "Terminal", dependencies: ["Text", "CRestore"], exclude: ["CRestore"],
      swiftSettings: programSettings),
    .target(
      name: "Pager", dependencies: ["HTTPValues", "JSON", "Search", "Terminal", "Text"],
      swiftSettings: programSettings),
    .target(
      name: "Output",
      dependencies: ["JSON", "Search", "Text"], swiftSettings: programSettings),
    .target(
      name: "Config",
      dependencies: [
        "FeedbackLoop", "HTTPValues", "JSON", "Search", "Text",
        .product(name: "Configuration", package: "swift-configuration"),
      ],
      swiftSettings: programSettings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .target(
      name: "Demo", dependencies: ["FeedbackLoop", "HTTPValues", "JSON", "Text"] + nio,
      swiftSettings: programSettings),
    .target(
      name: "App",
      dependencies: [
        "Config", "Demo", "Detection", "FeedbackLoop", "HTTPTransport", "HTTPValues", "JSON", "Output",
        "Pager",
        "Search", "Terminal", "Text",
      ],
      resources: [.embedInCode("BuiltInSources")], swiftSettings: programSettings),
    .executableTarget(
      name: "riffle",
      dependencies: ["App", "Config", "Demo", "Output", "Search", "Text", argumentParser],
      exclude: ["Release"], swiftSettings: programSettings,
      linkerSettings: lld(smallProgram + functionOrder)),
    .target(
      name: "TestSupport",
      dependencies: ["FeedbackLoop", "Terminal", "Text", .product(name: "NIOSSL", package: "swift-nio-ssl")]
        + nio,
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(
      name: "TransportTesting", dependencies: ["HTTPTransport", "HTTPValues", "TestSupport"],
      path: "Tests/TransportTesting", swiftSettings: settings),
    .target(
      name: "DemoTesting", dependencies: ["Demo", "FeedbackLoop", "HTTPValues", "JSON"] + nio,
      path: "Tests/DemoTesting",
      swiftSettings: settings),
    .testTarget(
      name: "FeedbackLoopTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting"],
      exclude: ["Messages"], swiftSettings: settings),
    // A program whose code is on the main actor by default.
    .testTarget(
      name: "FeedbackLoopMainActorTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "FeedbackLoopTestingTests",
      dependencies: ["FeedbackLoop", "FeedbackLoopSwiftTesting", "FeedbackLoopTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "TextTests", dependencies: ["Text", "TestSupport"], exclude: ["Generate"], swiftSettings: settings
    ),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HTTPValuesTests", dependencies: ["HTTPValues"],
      swiftSettings: settings),
    .testTarget(
      name: "SearchTests",
      dependencies: ["FeedbackLoop", "HTTPValues", "JSON", "Search", "TestSupport", "Text"],
      swiftSettings: settings),
    .testTarget(
      name: "DetectionTests",
      dependencies: ["Config", "Detection", "HTTPValues", "JSON", "Search", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPTransportTests",
      dependencies: [
        "Demo", "DemoTesting", "FeedbackLoop", "HTTPTransport", "HTTPValues", "JSON", "Search", "TestSupport",
        "TransportTesting",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ] + nio,
      swiftSettings: settings),
    .testTarget(
      name: "DemoTests",
      dependencies: [
        "Demo", "DemoTesting", "HTTPValues", "JSON", "TestSupport",
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ] + nio,
      swiftSettings: settings),
    .executableTarget(
      name: "TerminalTestProgram", dependencies: ["Terminal", "Text"], path: "Tests/TerminalTestProgram",
      swiftSettings: settings),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["CRestore", "Terminal", "Text", "TerminalTestProgram", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PagerTests",
      dependencies: ["HTTPValues", "JSON", "Pager", "Search", "Terminal", "TestSupport", "Text"],
      exclude: ["Screens"], swiftSettings: settings),
    .testTarget(
      name: "OutputTests", dependencies: ["HTTPValues", "JSON", "Output", "Search", "TestSupport", "Text"],
      swiftSettings: settings),
    .testTarget(
      name: "ConfigTests", dependencies: ["Config", "HTTPValues", "JSON", "Search", "TestSupport", "Text"],
      swiftSettings: settings),
    .testTarget(
      name: "riffleTests",
      dependencies: [
        "riffle", "App", "Config", "Demo", "DemoTesting", "FeedbackLoop", "HTTPTransport", "HTTPValues",
        "JSON",
        "Output",
        "Pager", "Search", "Terminal", "TestSupport", "Text", "TransportTesting", argumentParser,
      ],
      exclude: ["Conformance/recordings.txt", "Matrix/matrix.txt"], swiftSettings: settings),
  ]
)

// The plugin that shows the documentation of FeedbackLoop, only on request: every build would compile it.
//
//     RIFFLE_DOCUMENTATION=1 swift package --disable-sandbox preview-documentation --target FeedbackLoop
if Context.environment["RIFFLE_DOCUMENTATION"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// Benchmarks and fuzz targets, only on request: they use modules that are no products.
//
//     RIFFLE_BENCHMARKS=1 swift run -c release ReadingBenchmark
//     RIFFLE_FUZZING=1 swift run -c release --scratch-path .build/fuzzing Fuzzing json
if Context.environment["RIFFLE_BENCHMARKS"] != nil {
  package.targets += [
    .executableTarget(
      name: "LoopBenchmark", dependencies: ["FeedbackLoop"], path: "Benchmarks/Loop", swiftSettings: settings),
    .executableTarget(
      name: "ReadingBenchmark", dependencies: ["JSON", "SamplePages", "Search"], path: "Benchmarks/Reading",
      swiftSettings: settings, linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "SamplePages", dependencies: ["HTTPValues", "JSON", "Search"], path: "Benchmarks/Pages",
      swiftSettings: settings),
    // Counted by .ci/count-instructions.
    .executableTarget(
      name: "InstructionBenchmark",
      dependencies: [
        "FeedbackLoop", "HTTPValues", "JSON", "Output", "Pager", "SamplePages", "Search", "Terminal", "Text",
      ],
      path: "Benchmarks/Instructions", exclude: ["baseline.txt"], swiftSettings: settings,
      linkerSettings: [.linkedLibrary("m")]),
    .executableTarget(
      name: "FloorBenchmark",
      dependencies: [
        "JSON", .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
      ] + nio,
      path: "Benchmarks/Floors", swiftSettings: settings, linkerSettings: lld(smallProgram)),
    .executableTarget(
      name: "DescriptionBenchmark", dependencies: ["Detection", "JSON"], path: "Benchmarks/Description",
      swiftSettings: settings),
    .executableTarget(
      name: "AskingBenchmark", dependencies: ["HTTPValues", "JSON", "Pager", "Search"],
      path: "Benchmarks/Asking", swiftSettings: settings, linkerSettings: [.linkedLibrary("m")]),
    .executableTarget(
      name: "DrawingBenchmark", dependencies: ["Terminal", "Text"], path: "Benchmarks/Drawing",
      swiftSettings: settings),
  ]
}
if Context.environment["RIFFLE_FUZZING"] != nil {
  let fuzzed = ["Config", "HTTPValues", "JSON", "Pager", "Search", "Terminal", "Text"]
  package.targets.append(
    .executableTarget(
      name: "Fuzzing", dependencies: fuzzed.map { .target(name: $0) },
      path: "Benchmarks/Fuzzing", exclude: ["Seeds"], swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
  // libFuzzer sees which branches of a module an input takes.
  for target in package.targets where (fuzzed + ["Fuzzing"]).contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
  }
}
// All of riffle with ThreadSanitizer, which the packages it uses are built without, and the tests in which threads meet.
//
//     .ci/check-threads
if let sanitizer = Context.environment["RIFFLE_SANITIZE"] {
  let kept = [
    "FeedbackLoopTests", "FeedbackLoopMainActorTests", "FeedbackLoopTestingTests", "HTTPTransportTests",
    "TerminalTests", "riffleTests",
  ]
  package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=\(sanitizer)"])]
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=\(sanitizer)"])]
  }
}
