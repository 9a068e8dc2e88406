import { fromBase64, type Signature } from './signature.ts'

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** What WebCrypto takes. Declarations say `Uint8Array`, which older TypeScript knows too. */
type Bytes = Uint8Array<ArrayBuffer>

/** Whether one of the secrets made one of the codes. WebCrypto compares in constant time. */
export async function isSigned(
  { prefix, macs }: Pick<Signature, 'prefix' | 'macs'>,
  secrets: readonly string[],
  body: Uint8Array,
): Promise<boolean> {
  const data = signedBytes(prefix, body)
  for (const secret of secrets.flatMap(keysOf)) {
    const key = await importKey(secret, 'verify')
    for (const mac of macs) if (await crypto.subtle.verify(HMAC, key, mac as Bytes, data as Bytes)) return true
  }
  return false
}

/** The key is the secret's text; libraries of Standard Webhooks write it in base64 after `whsec_`. */
function keysOf(secret: string): Uint8Array[] {
  const [, encoded = ''] = /^whsec_([a-z\d+/]+={0,2})$/i.exec(secret) ?? []
  return [utf8(secret), ...(encoded && encoded.length % 4 === 0 ? [fromBase64(encoded)] : [])]
}

/** The secrets as a list. A missing one, such as a variable that is not set, is a mistake of the receiver. */
export function secretsOf(secret: string | readonly string[]): string[] {
  const secrets = [secret].flat()
  if (!secrets[0] || !secrets.every(Boolean)) throw new TypeError('The secret is missing.')
  return secrets
}

export async function sign(secret: string, data: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign(HMAC, await importKey(utf8(secret), 'sign'), data as Bytes))
}

const importKey = (key: Uint8Array, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', key as Bytes, HMAC, false, [use])

/** The bytes that are signed: a text, then the body. */
export function signedBytes(prefix: string, body: Uint8Array): Uint8Array {
  const start = utf8(prefix)
  const bytes = new Uint8Array(start.length + body.length)
  bytes.set(start)
  bytes.set(body, start.length)
  return bytes
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
