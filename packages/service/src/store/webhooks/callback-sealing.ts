import type { Callback } from '@order-testing/contract'
import type { Keyring } from '../sealing/keyring.ts'

interface CallbackKey {
  tenantId: string
  orderId: string
  id: string
}

/** A callback as stored. */
export interface SealedCallback extends CallbackKey {
  /** Set if an earlier build stored the address as plain text. */
  url: string | null
  secrets: Buffer
}

/** Seals address, headers and credentials; the query of the address may contain secrets. */
export const sealCallback = (keyring: Keyring, { callback, ...key }: CallbackKey & { callback: Callback }): Buffer =>
  keyring.seal(JSON.stringify(callback), callbackContext(key))

export function openCallback(keyring: Keyring, { url, secrets, ...key }: SealedCallback): Callback {
  if (url === null) return JSON.parse(keyring.open(secrets, callbackContext(key))) as Callback
  const context = `callback ${key.tenantId} ${key.orderId} ${url}`
  return { ...(JSON.parse(keyring.open(secrets, context)) as Omit<Callback, 'url'>), url }
}

/** The address for operators: without the query, which may contain secrets, or only the origin if the key is missing. */
export function redactedAddress(keyring: Keyring, { origin, ...sealed }: SealedCallback & { origin: string }): string {
  try {
    return openCallback(keyring, sealed).url.replace(/[?#].*$/s, '')
  } catch {
    return origin
  }
}

const callbackContext = ({ tenantId, orderId, id }: CallbackKey) => `callback address ${tenantId} ${orderId} ${id}`
