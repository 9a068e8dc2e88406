import { z } from 'zod'
import { Callback } from './callback.ts'
import { collection, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { openEnum, Path, Timestamp } from './primitives.ts'
import { idOf, page, resourceId } from './resource-endpoints.ts'

/** Active callbacks of one order (ruling 46). */
export const MOST_CALLBACKS = 10

export const OrderCallback = z
  .object({
    id: z.string(),
    object: z.literal('callback'),
    url: Path,
    target: z.string().describe('The address of the receiver, without its query, which may contain secrets.'),
    version: z.enum(['v1', 'v2']).describe('The version of the deliveries.'),
    headers: z.array(z.string()).describe('The names of the headers added to every delivery.'),
    authType: openEnum(['apiKey', 'bearer', 'basic', 'custom']).nullable(),
    isSigned: z.boolean().describe('Whether deliveries are signed with a `secretKey`.'),
    isActive: z.boolean().describe('Whether it receives further events.'),
    createdAt: Timestamp,
  })
  .meta({ id: 'OrderCallback', description: 'Where changes of an order are sent.' })

export type OrderCallback = z.infer<typeof OrderCallback>

const path = '/api/v2/orders/{id}/callbacks'
const tag = 'Orders'
const order = { one: 'order' }

export const listOrderCallbacks = endpoint({
  method: 'GET',
  path,
  scope: 'order.read',
  tag,
  summary: "List an order's callbacks.",
  description: 'Active and ended callbacks of the order, oldest first. Secrets are not shown.',
  params: idOf(order),
  query: z.strictObject(paging),
  replies: { 200: 'A page of callbacks.' },
  reply: collection(OrderCallback, 'OrderCallbackCollection'),
  example: { params: { id: examples.order.id }, reply: page(examples.orderCallback) },
})

export const readOrderCallback = endpoint({
  method: 'GET',
  path: `${path}/{callbackId}`,
  scope: 'order.read',
  tag,
  summary: 'Read a callback of an order.',
  params: z.strictObject({ id: resourceId('order'), callbackId: resourceId('callback') }),
  replies: { 200: 'The callback.' },
  reply: OrderCallback,
  example: { params: { id: examples.order.id, callbackId: examples.orderCallback.id }, reply: examples.orderCallback },
})

export const putOrderCallback = endpoint({
  method: 'PUT',
  path: '/api/v2/orders/{id}/callback',
  scope: 'order.create',
  tag,
  summary: 'Add or replace a callback of an order.',
  description:
    'A URL that the order already has is moved to v2 and replaced as a whole; another URL is added. The callback receives ' +
    `v2 events of later changes. An order has at most ${MOST_CALLBACKS} active callbacks.`,
  params: idOf(order),
  body: Callback,
  replies: { 200: 'The callback, replaced.', 201: 'The callback, added.' },
  reply: OrderCallback,
  refusals: [422],
  example: {
    params: { id: examples.order.id },
    body: examples.orderRequest.callback,
    reply: examples.orderCallback,
  },
})

export const endOrderCallback = endpoint({
  method: 'DELETE',
  path: `${path}/{callbackId}`,
  scope: 'order.create',
  tag,
  summary: 'End a callback of an order.',
  description:
    'It receives no further events, and its waiting deliveries are given up. Ending it twice has no further effect.',
  params: z.strictObject({ id: resourceId('order'), callbackId: resourceId('callback') }),
  replies: { 204: 'The callback has ended.' },
  reply: z.undefined(),
  example: { params: { id: examples.order.id, callbackId: examples.orderCallback.id }, reply: undefined },
})
