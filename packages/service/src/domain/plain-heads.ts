/** More headers are left to `node:http`, which limits them. */
const MOST_HEADERS = 32

/** A name without space before the colon, and a value of one line. */
const HEADER = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*([\t\x20-\x7e]*)\r\n/y

interface HeadOptions {
  /** A sticky pattern. */
  startLine: RegExp
  /** A longer head is left to `node:http`, which limits it. */
  mostBytes: number
  /** Gets each header, its name in lower case and its value without space around it. False refuses the head. */
  take: (name: string, value: string) => boolean
}

/**
 * Reads the head of an HTTP message, strictly: its start line, and how many bytes the head has. Null if anything is out of the
 * ordinary; the message is then for `node:http` to read.
 */
export function readPlainHead(
  bytes: Buffer,
  { startLine, mostBytes, take }: HeadOptions,
): { start: RegExpExecArray; size: number } | null {
  const head = bytes.toString('latin1', 0, mostBytes)
  const end = head.indexOf('\r\n\r\n') + 2
  startLine.lastIndex = 0
  const start = end > 1 ? startLine.exec(head) : null
  return start && takeHeaders(head, { from: startLine.lastIndex, to: end }, take) ? { start, size: end + 2 } : null
}

function takeHeaders(head: string, { from, to }: { from: number; to: number }, take: HeadOptions['take']): boolean {
  let at = from
  for (let count = 0; at < to; count++) {
    HEADER.lastIndex = at
    const header = count < MOST_HEADERS ? HEADER.exec(head) : null
    if (!header || !take(header[1]!.toLowerCase(), header[2]!.trimEnd())) return false
    at = HEADER.lastIndex
  }
  return true
}
