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

export function openCallback(keyring: Keyring, sealed: SealedCallback): Callback {
  const { tenantId, orderId, url, secrets } = sealed
  if (url === null) return JSON.parse(keyring.open(secrets, callbackContext(sealed))) as Callback
  const context = `callback ${tenantId} ${orderId} ${url}`
  return { ...(JSON.parse(keyring.open(secrets, context)) as Omit<Callback, 'url'>), url }
}

/** What may be shown of a callback. */
export interface CallbackDescription {
  /** Its address without the query, which may contain secrets; only the origin if the key is missing. */
  target: string
  /** The names of its headers. */
  headers: string[]
  authType: string | null
  isSigned: boolean
}

export function describeCallback(
  keyring: Keyring,
  { origin, ...sealed }: SealedCallback & { origin: string },
): CallbackDescription {
  try {
    const { url, headers = {}, auth } = openCallback(keyring, sealed)
    return {
      target: url.replace(/[?#].*$/s, ''),
      headers: Object.keys(headers),
      authType: auth?.type ?? null,
      isSigned: auth?.secretKey !== undefined,
    }
  } catch {
    return { target: origin, headers: [], authType: null, isSigned: false }
  }
}

/** The address for operators: without the query, which may contain secrets, or only the origin if the key is missing. */
export const redactedAddress = (keyring: Keyring, sealed: SealedCallback & { origin: string }): string =>
  describeCallback(keyring, sealed).target

const callbackContext = ({ tenantId, orderId, id }: CallbackKey) => `callback address ${tenantId} ${orderId} ${id}`
