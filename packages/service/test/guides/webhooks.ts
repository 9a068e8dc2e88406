import { OrderTesting } from '@order-testing/client'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'
import { until } from '../webhooks/working.ts'
import type { Guide } from './blocks.ts'

/** Serves the route handler of the guide as Next.js does: a `Request` in, a `Response` out. */
export const NEXT_HOST = `
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { POST } from './app/webhooks/route.js'

createServer(async (incoming, outgoing) => {
  const { method, url, headers } = incoming
  const request = new Request(new URL(url, 'http://127.0.0.1'), { method, headers, body: await buffer(incoming) })
  const { status } = await POST(request)
  outgoing.writeHead(status).end()
}).listen(4000, () => console.log('Listening on port 4000'))
`

export interface Delivery {
  requestLine: string
  headers: Record<string, string>
  body: string
}

/** The delivery that a guide shows. */
export function deliveryShown({ blocks }: Guide): Delivery {
  const { text } = blocks.find(({ language }) => language === 'http')!
  const [head = '', body = ''] = text.split('\n\n')
  const [requestLine = '', ...lines] = head.split('\n')
  const headers = lines.map((line) => line.split(': ') as [string, string])
  return { requestLine, headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])), body }
}

/** Places an order as the guide does, cancels it, and returns what its callback receives. */
export async function receiveOne(baseUrl: string, token: string): Promise<Delivery> {
  const client = new OrderTesting({ baseUrl, token })
  const receiver = await httpReceiver()
  try {
    const url = new URL('/webhooks', receiver.url).href
    const { id } = await client.orders.create({
      location: { id: 'loc-boxelder-columbus' },
      package: { id: 'pkg-pre-employment-10' },
      participant: { firstName: 'Ann', lastName: 'Lee' },
      requester: { email: 'dana@example.com', firstName: 'Dana', lastName: 'Reed' },
      deliveryMethods: [{ type: 'email', to: 'ann@example.com' }],
      settings: { schedulingOption: 'link' },
      testReason: 'preEmployment',
      callback: { url, auth: { type: 'bearer', token: 'known-to-your-gateway', secretKey: 'a-secret-of-your-own' } },
    })
    await client.orders.cancel(id)
    await until(() => receiver.requests.length === 1)
    const [{ method, path, headers, body }] = receiver.requests as [(typeof receiver.requests)[number]]
    return { requestLine: `${method} ${path} HTTP/1.1`, headers: headers as Record<string, string>, body: String(body) }
  } finally {
    await closeAll()
  }
}
