const HMAC = { name: 'HMAC', hash: 'SHA-256' }

type Bytes = Uint8Array<ArrayBuffer>

/** Whether one of the codes is that of the text under the key. WebCrypto compares in constant time. */
export async function isSigned(key: Bytes, macs: Bytes[], data: Bytes): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['verify'])
  const found = await Promise.all(macs.map((mac) => crypto.subtle.verify(HMAC, imported, mac, data)))
  return found.includes(true)
}

export async function sign(key: Bytes, data: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign(HMAC, imported, data))
}

/** The bytes that are signed: a text, then the body. */
export function signedBytes(prefix: string, body: Uint8Array): Bytes {
  const start = new TextEncoder().encode(prefix)
  const bytes = new Uint8Array(start.length + body.length)
  bytes.set(start)
  bytes.set(body, start.length)
  return bytes
}

export const utf8 = (text: string): Bytes => signedBytes(text, new Uint8Array())
