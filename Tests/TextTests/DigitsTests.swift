import Testing
import Text

@Suite struct DigitsTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (52_341, "52,341"), (-52_341, "-52,341"), (-999, "-999"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func `Thousands are grouped by commas`(number: Int, text: String) {
    #expect(Digits.grouped(number) == text)
  }

  @Test(arguments: [
    ("9007199254740993", "9,007,199,254,740,993"),
    ("-1234567.8900", "-1,234,567.8900"),
    ("123456789012345678901234567890", "123,456,789,012,345,678,901,234,567,890"),
    ("12", "12"),
    ("1e9", "1e9"),
    ("1234E+2", "1234E+2"),
    ("1234.", "1234."),
    (".5", ".5"),
    ("", ""),
    ("-", "-"),
    ("12a4567", "12a4567"),
    ("１２３４", "１２３４"),
  ])
  func `No digit in the original text of a number is lost`(text: String, grouped: String) {
    #expect(Digits.grouped(exact: text) == grouped)
  }

  @Test(arguments: [
    (0, "0"), (7.25, "7.3"), (999, "999"), (999.4, "999"), (999.5, "1.0k"), (1_000, "1.0k"), (1_049, "1.0k"),
    (1_050, "1.1k"), (12_345, "12.3k"), (27_000, "27.0k"), (28_100, "28.1k"), (99_949, "99.9k"),
    (99_950, "100k"),
    (123_456, "123k"),
    (999_499, "999k"), (999_500, "1.0M"), (1_234_567, "1.2M"), (5e9, "5.0B"), (7.1e12, "7.1T"),
    (1.5e15, "1500T"),
    (-12_345, "-12.3k"), (-0.01, "0"),
  ])
  func `[D62] A large number is shown with a unit, and numbers with the same unit have the same decimals.`(
    number: Double, text: String
  ) {
    #expect(Digits.compact(number) == text)
  }

  @Test(arguments: [
    (0, "0 B"), (512, "512 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"),
    (1_468_006, "1.4 MiB"),
    (1_048_575, "1.0 MiB"), (3.3e9, "3.1 GiB"), (1e16, "8.9 PiB"),
  ])
  func `A size is shown in powers of 1,024`(number: Double, text: String) {
    #expect(Digits.bytes(number) == text)
  }

  @Test(arguments: [
    (0, "0.0%"), (0.5, "50.0%"), (0.123, "12.3%"), (1, "100%"), (1.2345, "123%"), (-0.25, "-25.0%"),
  ])
  func `A fraction is shown as a percentage`(fraction: Double, text: String) {
    #expect(Digits.percent(fraction) == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `A number without a short form has none`(number: Double) {
    #expect(Digits.compact(number) == nil)
    #expect(Digits.bytes(number) == nil)
    #expect(Digits.percent(number) == nil)
  }
}
