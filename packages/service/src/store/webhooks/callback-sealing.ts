import type { Callback } from '@order-testing/contract'
import type { Keyring } from '../sealing/keyring.ts'

interface CallbackKey {
  tenantId: string
  orderId: string
  id: string
}

/** A callback as it is kept. */
export interface SealedCallback extends CallbackKey {
  /** Where an earlier build has kept the address as plain text. */
  url: string | null
  secrets: Buffer
}

/** What a callback is called with: its address, whose query may hold secrets, headers and credentials. */
export const sealCallback = (keyring: Keyring, { callback, ...key }: CallbackKey & { callback: Callback }): Buffer =>
  keyring.seal(JSON.stringify(callback), callbackContext(key))

export function openCallback(keyring: Keyring, { url, secrets, ...key }: SealedCallback): Callback {
  if (url === null) return JSON.parse(keyring.open(secrets, callbackContext(key))) as Callback
  const context = `callback ${key.tenantId} ${key.orderId} ${url}`
  return { ...(JSON.parse(keyring.open(secrets, context)) as Omit<Callback, 'url'>), url }
}

/** The address as operators see it, without its query: that may hold secrets. Only the origin without the key. */
export function shownAddress(keyring: Keyring, { origin, ...sealed }: SealedCallback & { origin: string }): string {
  try {
    return openCallback(keyring, sealed).url.replace(/[?#].*$/s, '')
  } catch {
    return origin
  }
}

const callbackContext = ({ tenantId, orderId, id }: CallbackKey) => `callback address ${tenantId} ${orderId} ${id}`
