# Makes a long recording of a short one: the same beginning and events, then keys, times and sizes of the screen in turn,
# as somebody leafs, filters, sorts, marks and looks at rows.
#
#   awk -f lengthen.awk -v events=1000000 session.riffle > long.riffle

BEGIN {
  # Leafing; other keys may be given.
  if (!keys) keys = "j j j k space b d u G g j j x k ] k j = j v j v l h $ 0 L L j k"
  count = split(keys, key, " ")
}

function event(text) {
  number += 1
  printf "{\"sequence\":%d,\"time\":%.3f,\"event\":%s,\"origin\":{\"depth\":0}}\n", number, number / 8, text
}

NR == 1 { print; next }
# The key that left the session.
/"key":"q"/ { next }
{
  number += 1
  print
}

END {
  while (number < events) {
    for (i = 1; i <= count && number < events; i++) event("{\"key\":\"" key[i] "\"}")
    if (number < events) event("{\"ticked\":" 1790000000 + number / 8 "}")
    if (number < events) event("{\"resized\":{\"size\":{\"columns\":" 80 + number % 40 ",\"rows\":24},\"widthModel\":{\"measure\":\"clusters\",\"ambiguousIsWide\":false}}}")
  }
}
