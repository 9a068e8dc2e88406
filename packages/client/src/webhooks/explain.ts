import { isSigned, utf8 } from './mac.ts'
import { headerOf, type HeadersLike, type Signature } from './signature.ts'
import { WebhookError } from './webhook-error.ts'

interface Refused {
  bytes: Uint8Array
  headers: HeadersLike
  signature: Signature
  secrets: readonly string[]
}

/** The most likely cause of a wrong signature, found by trying the usual mistakes. */
export async function explain({ bytes, headers, signature, secrets }: Refused): Promise<WebhookError> {
  const { prefix, macs } = signature
  const length = headerOf(headers, 'content-length')
  if (length !== undefined && Number(length) !== bytes.length && !headerOf(headers, 'content-encoding'))
    return changed(`it has ${bytes.length} bytes, but ${length} were sent`)
  const trimmed = secrets.map((secret) => secret.trim()).filter(Boolean)
  if (await isSigned(signature, trimmed, bytes))
    return new WebhookError('wrongSecret', 'The secret has a blank or line break around it.')
  const time = headerOf(headers, 'webhook-timestamp')
  const otherPrefix = prefix === '' && time ? `${time}.` : ''
  if (otherPrefix !== prefix && (await isSigned({ prefix: otherPrefix, macs }, secrets, bytes)))
    return new WebhookError('versionMismatch', 'Header and signature differ in version.')
  const compact = compactOf(bytes)
  if (!compact) return changed('it is cut off or not JSON')
  if (compact !== new TextDecoder().decode(bytes)) {
    const isCertain = await isSigned(signature, secrets, utf8(compact))
    return changed(`it ${isCertain ? 'was' : 'may have been'} parsed and serialised again`)
  }
  return new WebhookError(
    'wrongSecret',
    "The secret is not the callback's `auth.secretKey`, or somebody else sent the request.",
  )
}

const changed = (detail: string) =>
  new WebhookError('bodyChanged', `The body is not the one that was signed: ${detail}. Pass the bytes as they arrived.`)

/** The body as the service writes JSON: without blanks, and with no more escapes than needed. */
function compactOf(bytes: Uint8Array): string | undefined {
  try {
    return JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}
