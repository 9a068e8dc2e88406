// Run by Node, Deno and Bun with the packed client: places an order, follows it to its result, and verifies an event.
import { NotFoundError, OrderTesting } from '@order-testing/client'
import { signTestWebhook, verifyWebhook, WebhookError } from '@order-testing/client/webhooks'

const [baseUrl, token] = ['OTS_URL', 'OTS_TOKEN'].map((name) => globalThis.process.env[name])
const client = new OrderTesting({ baseUrl, token })

const placed = await client.orders.create({
  location: { id: 'loc-larkmead-marietta' },
  package: { id: 'pkg-pre-employment-10' },
  participant: { firstName: 'Maria', lastName: 'Lopez' },
  requester: { email: 'dana@example.com', firstName: 'Dana', lastName: 'Reed' },
  deliveryMethods: [{ type: 'email', to: 'maria@example.com' }],
  settings: { schedulingOption: 'link' },
  testReason: 'preEmployment',
})
await client.sandbox.simulate(placed.id, { outcome: 'negative' })
check('the order has its result', (await client.orders.get(placed.id)).status === 'negative')

const codes = []
for await (const { code } of client.orders.list()) codes.push(code)
check('the order is listed', codes.includes(placed.code))

const stop = new AbortController()
for await (const { order } of client.orders.changes({ signal: stop.signal, pollMs: 100 }))
  if (order.id === placed.id) stop.abort()

const unknown = await client.orders.get('none').catch((error) => error)
check('an unknown order has its own error', unknown instanceof NotFoundError && unknown.problems[0].code === 'notFound')

const secret = 'a secret of the receiver'
const payload = { object: 'event', id: 'evt_1', type: 'order.updated', data: { object: 'order', id: placed.id } }
const { body, headers } = await signTestWebhook({ payload, secret })
check('a signed event is genuine', (await verifyWebhook({ body, headers, secret })).eventId === 'evt_1')
const forged = await verifyWebhook({ body: `${body} `, headers, secret }).catch((error) => error)
check('a changed event is refused', forged instanceof WebhookError)

function check(what, isTrue) {
  if (!isTrue) throw new Error(`Failed: ${what}.`)
}
