import { readHeaderLines } from '../domain/header-lines.ts'

/** What counts of a final response, besides its body. */
export interface Answer {
  status: number
  retryAfter: string | null
  keepAlive: string | null
}

/** A response that arrived whole, in one read, with nothing out of the ordinary. */
interface PlainResponse extends Answer {
  body: Buffer
}

/** A longer head is left to `node:http`, which limits it. */
const MAX_HEAD = 2_048

const STATUS_LINE = /HTTP\/1\.1 ([2-5]\d\d) [\t\x20-\x7e]*\r\n/y
const BODILESS = new Set([204, 304])

/**
 * Reads what nearly every receiver sends, strictly; null for anything else, which `node:http` then reads. It saves most of what
 * that costs: `npm run bench -- deliveries`. To be removed when `node:http` costs no more than this.
 */
export function readPlainResponse(bytes: Buffer, mostBody: number): PlainResponse | null {
  const head = bytes.toString('latin1', 0, MAX_HEAD)
  const end = head.indexOf('\r\n\r\n') + 2
  STATUS_LINE.lastIndex = 0
  const line = end > 1 ? STATUS_LINE.exec(head) : null
  if (!line) return null
  const read: Headers = { retryAfter: null, keepAlive: null }
  const lines = { from: STATUS_LINE.lastIndex, to: end }
  if (!readHeaderLines(head, lines, (name, value) => takeHeader(read, name, value))) return null
  const status = Number(line[1])
  const { length = BODILESS.has(status) ? 0 : undefined, retryAfter, keepAlive } = read
  const isWhole = length !== undefined && length <= mostBody && bytes.length === end + 2 + length
  // A 304 may announce the length of a body that it does not have.
  if (!isWhole || (BODILESS.has(status) && length > 0)) return null
  return { status, retryAfter, keepAlive, body: bytes.subarray(end + 2) }
}

type Headers = { length?: number; retryAfter: string | null; keepAlive: string | null }

/** False for what only a parser may judge. Of a repeated header the first counts, as with `node:http`. */
function takeHeader(read: Headers, name: string, value: string): boolean {
  switch (name) {
    case 'content-length':
      if (read.length !== undefined || !/^\d{1,5}$/.test(value)) return false
      read.length = Number(value)
      return true
    case 'connection':
      return value.toLowerCase() === 'keep-alive'
    case 'transfer-encoding':
    case 'proxy-connection':
    case 'upgrade':
      return false
    case 'retry-after':
      read.retryAfter ??= value
      return true
    case 'keep-alive':
      read.keepAlive ??= value
      return true
    default:
      return true
  }
}
