import { readPlainHead } from '../domain/plain-heads.ts'

/** What is used of a final response, besides its body. */
export interface Answer {
  status: number
  retryAfter: string | null
  keepAlive: string | null
}

/** A response that arrived whole, in one read, with nothing out of the ordinary. */
interface PlainResponse extends Answer {
  body: Buffer
}

const MAX_HEAD = 2_048

const STATUS_LINE = /HTTP\/1\.1 ([2-5]\d\d) [\t\x20-\x7e]*\r\n/y
const BODILESS = new Set([204, 304])

/**
 * Reads what nearly every receiver sends, strictly; null for anything else, which `node:http` then reads. It saves most of what
 * that costs: `npm run bench -- deliveries`. To be removed when `node:http` costs no more than this.
 */
export function readPlainResponse(bytes: Buffer, mostBody: number): PlainResponse | null {
  const read: Headers = { retryAfter: null, keepAlive: null }
  const take = (name: string, value: string) => takeHeader(read, name, value)
  const head = readPlainHead(bytes, { startLine: STATUS_LINE, mostBytes: MAX_HEAD, take })
  if (!head) return null
  const status = Number(head.start[1])
  const { length = BODILESS.has(status) ? 0 : undefined, retryAfter, keepAlive } = read
  const isWhole = length !== undefined && length <= mostBody && bytes.length === head.size + length
  // A 304 may announce the length of a body that it does not have.
  if (!isWhole || (BODILESS.has(status) && length > 0)) return null
  return { status, retryAfter, keepAlive, body: bytes.subarray(head.size) }
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
