import { order, orderEvent } from './examples.ts'

const id = 'dlv_01kjqj1gkebpjq4qg2xtdzb9v0'
const { callbackOrigin } = orderEvent.deliveries[0]

export const delivery = {
  id,
  object: 'delivery',
  eventId: 'evt_01kjqj1gkebv06c3hh6mn46hwz',
  orderId: 'ord_01kjqhf6neadxmgtkz69vf0fxx',
  orderCode: 'T6QH-3YWM',
  version: 'v2',
  callbackUrl: 'https://hooks.example.com/orders',
  callbackOrigin,
  state: 'failed',
  attempts: 14,
  createdAt: '2026-03-02T15:18:05.678Z',
  lastAttemptAt: '2026-03-05T19:21:08.300Z',
  lastStatus: null,
  lastError: 'timeout',
  nextAttemptAt: null,
  heldReason: null,
  heldUntil: null,
  endedAt: '2026-03-05T19:21:23.310Z',
  url: `/api/operator/v1/deliveries/${id}`,
} as const

export const fullDelivery = {
  ...delivery,
  log: [
    {
      number: 14,
      at: delivery.lastAttemptAt,
      ms: 15_000,
      status: null,
      error: 'timeout',
      detail: 'No complete response within 15000 ms.',
      excerpt: null,
      headers: {
        'Content-Type': 'application/json',
        'X-Event-Id': delivery.eventId,
        'X-Delivery-Id': id,
        'X-Delivery-Attempt': '14',
        Authorization: '[removed]',
        'X-Signature': '[removed]',
      },
    },
  ],
  schedule: [{ number: 14, state: 'done', at: delivery.lastAttemptAt, waitSeconds: 86_400 }],
  request: {
    method: 'POST',
    target: delivery.callbackUrl,
    body: `{"object":"event","id":"${delivery.eventId}","type":"order.updated"}`,
    changedAt: null,
  },
} as const

export const replayedDelivery = {
  ...delivery,
  state: 'held',
  attempts: 0,
  heldReason: 'breakerOpen',
  heldUntil: '2026-03-05T19:31:23.310Z',
  endedAt: null,
} as const

export const callback = {
  id: 'cbk_01kjqh7w9efey0p0ytxm2h3pnj',
  object: 'callback',
  orderId: order.id,
  target: delivery.callbackUrl,
  origin: callbackOrigin,
  version: 'v2',
  showsParticipant: false,
  isActive: true,
  registeredBy: 'demo',
  changedBy: null,
  createdAt: order.createdAt,
  changedAt: null,
  endedAt: null,
  endReason: null,
  url: '/api/operator/v1/callbacks/cbk_01kjqh7w9efey0p0ytxm2h3pnj',
} as const

const endedAt = '2026-03-09T12:00:00.000Z'
export const endedCallback = { ...callback, isActive: false, endedAt, endReason: 'operator' } as const

/** The counts of a day: most half hours, and the last two. */
const dayOf = (most: number, last: number) => [...Array.from({ length: 46 }, () => most), last, last]

export const receiver = {
  object: 'receiver',
  origin: callbackOrigin,
  state: 'open',
  failures: 7,
  openedAt: '2026-03-05T19:10:53.310Z',
  openUntil: '2026-03-05T19:31:23.310Z',
  pausedAt: null,
  lastAttemptAt: '2026-03-05T19:21:23.310Z',
  lastDeliveredAt: '2026-03-05T18:50:02.044Z',
  usesV1: false,
  p95Ms: 1240,
  lastDay: { from: '2026-03-04T20:00:00.000Z', delivered: dayOf(41, 0), failed: dayOf(0, 7) },
  held: 12,
  waiting: 3,
  oldestAt: '2026-03-05T18:52:41.120Z',
} as const

export const pausedReceiver = { ...receiver, pausedAt: '2026-03-05T19:25:00.000Z', isKnown: true } as const
export const probedReceiver = { ...receiver, state: 'halfOpen', openUntil: null, isKnown: true } as const
export const resumedReceiver = {
  ...receiver,
  state: 'closed',
  failures: 0,
  openedAt: null,
  openUntil: null,
  isKnown: true,
} as const
