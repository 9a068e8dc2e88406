import { SCOPES } from '@order-testing/contract'
import { body, created, only, PERSON, post, TENANT } from '../orders/given.ts'
import { testKeyring, type TestService } from '../support/service.ts'
import { operate } from '../support/operator.ts'

export const V1 = '/api/v1/orders'
export const HOOK = 'https://hooks.example.com/orders'

type Sender = { secret: string }

/** A token of the company Acme with every scope, issued for a test. */
export async function integrator(service: TestService): Promise<{ id: string; secret: string }> {
  const request = { name: 'Integrator', scopes: [...SCOPES], companies: ['acme'] }
  return (await operate(service, 'POST', '/tokens', request)).body
}

/** An order with a callback that this token registers, through v1 where nothing else is said. */
export const ordered = (service: TestService, { secret }: Sender, { url = HOOK, path = V1 } = {}) =>
  created(service, { participant: PERSON, callback: { url } }, { secret, path })

let people = 0
/** Creates for the same person, so that the second finds the order of the first. */
export function sender(service: TestService) {
  people += 1
  const participant = { ...PERSON, birthDate: new Date(people * 86_400_000).toISOString().slice(0, 10) }
  const orderMatching = { enabled: true, matchScore: 100 }
  return ({ secret }: Sender, url = HOOK, path = '/api/v2/orders') =>
    post(service, body({ participant, callback: { url }, orderMatching }), { path, secret })
}

interface SeenCallback {
  id: string
  [member: string]: unknown
}

/** The one callback of an order, as operators see it. */
export async function callbackOf(service: TestService, orderId: string): Promise<SeenCallback> {
  return only((await operate(service, 'GET', `/callbacks?orderId=${orderId}`)).body.data as SeenCallback[])
}

export const audited = async (service: TestService, action: string, subjectId: string) =>
  (await operate(service, 'GET', `/audit?action=${action}&subjectId=${subjectId}`)).body.data

/** The deliveries of an order, newest event first. */
export async function deliveriesOf({ pool }: TestService, orderId: string) {
  const rows = await pool<{ id: string; state: string; reason: string | null; sealed: Buffer }[]>`
    select id, state, reason, body as sealed from deliveries
    where tenant_id = ${TENANT} and order_id = ${orderId} order by id desc`
  return rows.map(({ id, sealed, ...row }) => ({
    ...row,
    sent: JSON.parse(testKeyring.open(sealed, `delivery ${TENANT} ${id}`)) as Record<string, unknown>,
  }))
}

/** A change that is sent to callbacks. */
export async function checkIn(service: TestService, orderId: string): Promise<void> {
  const [{ id }] = (await operate(service, 'GET', `/orders/${orderId}`)).body.services
  const answer = await operate(service, 'POST', `/orders/${orderId}/services/${id}/moves`, { status: 'checkedIn' })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
}
