import { readPlainHead } from '../domain/plain-heads.ts'

/** The head of a request, which arrived whole, in one read, with nothing out of the ordinary. */
export interface PlainRequest {
  method: string
  url: string
  /** By their names in lower case; none was repeated. */
  headers: Record<string, string>
  /** How many bytes the request has, with its body. */
  length: number
}

const MAX_HEAD = 4_096

/** Node's parser knows which characters a URL may have: only those that it has accepted before are answered. */
const REQUEST_LINE = /(GET|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1\r\n/y

/** Headers that affect where the request or the connection ends, or change what follows; and one that Node drops. */
const LEFT_TO_NODE = new Set([
  '__proto__',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Reads what nearly every client sends, strictly; null for anything else, which only a parser may judge. */
export function readPlainRequest(bytes: Buffer): PlainRequest | null {
  const headers = Object.create(null) as PlainRequest['headers']
  const take = (name: string, value: string) => {
    if (name in headers || LEFT_TO_NODE.has(name) || !isUsual(name, value)) return false
    headers[name] = value
    return true
  }
  const head = readPlainHead(bytes, { startLine: REQUEST_LINE, mostBytes: MAX_HEAD, take })
  if (!head || headers['host'] === undefined) return null
  const { start, size } = head
  return { method: start[1]!, url: start[2]!, headers, length: size + Number(headers['content-length'] ?? 0) }
}

const isUsual = (name: string, value: string): boolean => {
  if (name === 'connection') return value.toLowerCase() === 'keep-alive'
  return name !== 'content-length' || /^\d{1,9}$/.test(value)
}
