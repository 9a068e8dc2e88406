import { fromBase64, type Signature } from './signature.ts'

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

type Bytes = Uint8Array<ArrayBuffer>

/** Whether one of the secrets made one of the codes. WebCrypto compares in constant time. */
export async function isSigned(
  { prefix, macs }: Pick<Signature, 'prefix' | 'macs'>,
  secrets: readonly string[],
  body: Uint8Array,
): Promise<boolean> {
  const data = signedBytes(prefix, body)
  for (const secret of secrets.flatMap(keysOf)) {
    const key = await crypto.subtle.importKey('raw', secret, HMAC, false, ['verify'])
    for (const mac of macs) if (await crypto.subtle.verify(HMAC, key, mac, data)) return true
  }
  return false
}

/** The key is the secret's text; libraries of Standard Webhooks write it in base64 after `whsec_`. */
function keysOf(secret: string): Bytes[] {
  if (secret === '') throw new TypeError('The secret is empty.')
  const [, encoded = ''] = /^whsec_([a-z\d+/]+={0,2})$/i.exec(secret) ?? []
  return [utf8(secret), ...(encoded && encoded.length % 4 === 0 ? [fromBase64(encoded)] : [])]
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
