import Glibc

/// Dates in HTTP format (RFC 9110 section 5.6.7).
enum HTTPDate {
  /// `"Sun, 06 Nov 1994 08:49:37 GMT"` for 784111777, in seconds since 1970.
  static func text(_ time: Int) -> String {
    var seconds = time_t(time)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let day = [parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
    let date = "\(day[0]) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
    return "\(days[Int(parts.tm_wday)]), \(date) \(day[1...].joined(separator: ":")) GMT"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func twoDigits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
}
