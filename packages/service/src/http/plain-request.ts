import { readHeaderLines } from '../domain/header-lines.ts'

/** The head of a request that arrived whole, in one read, with nothing out of the ordinary. */
export interface PlainHead {
  method: string
  url: string
  /** By their names in lower case; none was repeated. */
  headers: Record<string, string>
  /** How many bytes the request has, with its body. */
  length: number
}

/** A longer head is left to `node:http`, which limits it. */
const MAX_HEAD = 4_096

/** Node's parser knows which characters a URL may have: only those that it has accepted before are answered. */
const REQUEST_LINE = /(GET|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1\r\n/y

/** What has a say in where the request or the connection ends, or changes what follows. */
const LEFT_TO_NODE = new Set([
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
export function readPlainHead(bytes: Buffer): PlainHead | null {
  const head = bytes.toString('latin1', 0, MAX_HEAD)
  const end = head.indexOf('\r\n\r\n') + 2
  REQUEST_LINE.lastIndex = 0
  const line = end > 1 ? REQUEST_LINE.exec(head) : null
  const headers = line && readHeaders(head, REQUEST_LINE.lastIndex, end)
  if (!headers || headers['host'] === undefined) return null
  return { method: line[1]!, url: line[2]!, headers, length: end + 2 + Number(headers['content-length'] ?? 0) }
}

function readHeaders(head: string, from: number, to: number): PlainHead['headers'] | null {
  const headers = Object.create(null) as PlainHead['headers']
  const isPlain = readHeaderLines(head, { from, to }, (name, value) => {
    if (name in headers || LEFT_TO_NODE.has(name) || !isUsual(name, value)) return false
    headers[name] = value
    return true
  })
  return isPlain ? headers : null
}

const isUsual = (name: string, value: string): boolean => {
  if (name === 'connection') return value.toLowerCase() === 'keep-alive'
  return name !== 'content-length' || /^\d{1,9}$/.test(value)
}
