import { validateHeaderName, validateHeaderValue } from 'node:http'

/**
 * A request as it is sent; null if a header cannot be. The URL is parsed, so it holds no space or line break. Bytes of our own and
 * one write instead of `ClientRequest`: see `readPlainResponse`.
 */
export function composeRequest(
  { pathname, search, host }: URL,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
): Buffer | null {
  if (!areValid(headers)) return null
  let head = `POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\nContent-Length: ${body.length}\r\n`
  for (const name in headers) head += `${name}: ${headers[name]!}\r\n`
  head += '\r\n'
  const bytes = Buffer.allocUnsafe(head.length + body.length)
  // One byte for each character: `areValid` lets no others pass.
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return bytes
}

function areValid(headers: Record<string, string>): boolean {
  try {
    for (const name in headers) {
      validateHeaderName(name)
      validateHeaderValue(name, headers[name]!)
    }
    return true
  } catch {
    return false
  }
}
