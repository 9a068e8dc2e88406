import { secretsOf, sign, signedBytes, utf8 } from './mac.ts'

export interface TestDelivery {
  /** An event (v2) or an order (v1). */
  payload: { object: string; id: string }
  /** The secret that your receiver knows. */
  secret: string
  now?: Date | undefined
  /** The number of the attempt, from 1. */
  attempt?: number | undefined
}

/** Body and headers as the service sends them, to test a receiver. */
export async function signTestWebhook({ payload, secret, now = new Date(), attempt = 1 }: TestDelivery): Promise<{
  body: string
  headers: Record<string, string>
}> {
  secretsOf(secret)
  const body = JSON.stringify(payload)
  const t = Math.floor(now.getTime() / 1000)
  const eventId = payload.object === 'event' ? payload.id : 'evt_test'
  const mac = (prefix: string) => sign(secret, signedBytes(prefix, utf8(body)))
  const [own, standard] = [await mac(payload.object === 'event' ? `${t}.` : ''), await mac(`${eventId}.${t}.`)]
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-event-id': eventId,
      'x-delivery-id': 'dlv_test',
      'x-delivery-attempt': String(attempt),
      'x-signature': `${payload.object === 'event' ? `t=${t},` : ''}sha256=${hex(own)}`,
      'webhook-id': eventId,
      'webhook-timestamp': String(t),
      'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
    },
  }
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
