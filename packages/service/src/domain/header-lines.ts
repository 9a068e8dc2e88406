/** More are left to `node:http`, which limits them. */
const MOST = 32

/** A name without space before the colon, and a value of one line. */
const HEADER = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*([\t\x20-\x7e]*)\r\n/y

/**
 * Reads the header lines of an HTTP message, strictly: names come in lower case, values without space around them. False if a line is
 * out of the ordinary, or if `take` will not have it; the message is then for `node:http` to read.
 */
export function readHeaderLines(
  head: string,
  { from, to }: { from: number; to: number },
  take: (name: string, value: string) => boolean,
): boolean {
  let at = from
  for (let count = 0; at < to; count++) {
    HEADER.lastIndex = at
    const header = count < MOST ? HEADER.exec(head) : null
    if (!header || !take(header[1]!.toLowerCase(), header[2]!.trimEnd())) return false
    at = HEADER.lastIndex
  }
  return true
}
