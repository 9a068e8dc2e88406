import { z } from 'zod'
import { ParticipantInput } from '../create-order.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { instant, text } from '../primitives.ts'
import { idOf } from '../resource-endpoints.ts'
import { basedOn, OperatorOrder } from './orders.ts'

const change = {
  method: 'PATCH',
  scope: ['operator.orders.write', 'operator.participants.write'],
  tag: 'Orders',
  params: idOf({ one: 'order' }),
  replies: { 200: 'The order, changed.' },
  reply: OperatorOrder,
  refusals: [409, 422],
} as const

const reason = text(1, 1000).describe('Recorded in the audit log.')

export const changeContact = endpoint({
  ...change,
  path: '/api/operator/v1/orders/{id}/participant',
  summary: "Change the participant's e-mail address or phone number.",
  description:
    'Members that are not sent stay as they are. If notifications go to the e-mail address or phone number that is changed, they go to the new one from ' +
    'now on, including those that are waiting, and links that were sent to the old one are revoked: send a new one with ' +
    '`POST /api/operator/v1/orders/{id}/links`. Not possible for orders that are closed.',
  body: z
    .strictObject({
      email: ParticipantInput.shape.email.describe('The new e-mail address.'),
      phone: ParticipantInput.shape.phone.describe(
        'The new phone number, stored as E.164 (region US) if it is a valid number. It must be valid if notifications go to it.',
      ),
      reason,
      basedOn,
    })
    .meta({ id: 'ContactChange', override: { anyOf: [{ required: ['email'] }, { required: ['phone'] }] } }),
  example: {
    params: { id: examples.order.id },
    body: { email: 'maria.lopez@example.org', reason: 'She called: the address was misspelled.' },
    reply: examples.operatorOrder,
  },
})

export const extendOrder = endpoint({
  ...change,
  path: '/api/operator/v1/orders/{id}/expiry',
  summary: 'Change when an order expires.',
  description:
    'To a time in the future, at most 90 days from today, and not before a booked appointment. Reminders are planned again. Possible while ' +
    'the participant has not checked in; an expired order stays expired.',
  body: z
    .strictObject({
      expiresAt: instant().optional().describe('When it expires.'),
      days: z.int().min(1).max(90).optional().describe('It expires this many days from now. Instead of `expiresAt`.'),
      reason,
      basedOn,
    })
    .meta({ id: 'ExpiryChange', override: { oneOf: [{ required: ['expiresAt'] }, { required: ['days'] }] } }),
  example: {
    params: { id: examples.order.id },
    body: { days: 14, reason: 'The participant is on leave.' },
    reply: examples.operatorOrder,
  },
})
