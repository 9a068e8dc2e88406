import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { Flag, instant, text, Timestamp } from '../primitives.ts'
import { resourceId } from '../resource-endpoints.ts'
import { OpenBooking } from './bookings.ts'

const ClinicDay = z
  .object({
    object: z.literal('clinicDay'),
    clinic: z.object({ id: z.string(), name: z.string(), isActive: z.boolean() }),
    date: z.iso.date().describe('A date in the zone of the clinic.'),
    zone: z.string().describe('Time zone of the clinic; UTC if it is unknown.'),
    hours: z
      .array(z.object({ from: Timestamp, until: Timestamp }))
      .nullable()
      .describe('When the clinic is open; null if its hours or its zone are unknown.'),
    slots: z
      .array(
        z.object({
          at: Timestamp,
          time: z.string().describe('Local time, such as 10:30.'),
          capacity: z.int().min(1),
          taken: z.int().min(0).describe('May exceed the capacity, if an operator has overridden it.'),
        }),
      )
      .nullable()
      .describe('Null for a clinic without slots.'),
    bookings: z.array(OpenBooking).describe('The bookings of the day, the earliest first.'),
    isMore: z.boolean().describe('Whether there are more bookings than listed.'),
  })
  .meta({ id: 'ClinicDay' })

export type ClinicDay = z.infer<typeof ClinicDay>

export const readClinicDay = endpoint({
  method: 'GET',
  path: '/api/operator/v1/clinics/{id}/day',
  scope: 'operator.orders.read',
  tag: 'Orders',
  summary: 'Read the slots and bookings of a clinic on a day.',
  description: 'Slots in the past are included. Bookings without a time are in `GET /api/operator/v1/bookings`.',
  params: z.strictObject({ id: resourceId('clinic') }),
  query: z.strictObject({ date: z.iso.date().describe('A date in the zone of the clinic.') }),
  replies: { 200: 'The day.' },
  reply: ClinicDay,
  example: { params: { id: 'clinic-blue-river' }, query: { date: '2026-03-04' }, reply: examples.clinicDay },
})

const MOST_REBOOKED = 100

const Rebooking = z
  .object({
    object: z.literal('rebooking'),
    orderId: z.string().describe('Id or code, as sent.'),
    outcome: z.enum(['booked', 'refused']),
    appointmentAt: Timestamp.nullable(),
    clinicId: z.string(),
    problems: z
      .array(z.object({ code: z.string(), detail: z.string() }))
      .describe('Why it was refused. The order keeps its booking.'),
  })
  .meta({ id: 'Rebooking' })

export type Rebooking = z.infer<typeof Rebooking>

export const rebookOrders = endpoint({
  method: 'POST',
  path: '/api/operator/v1/bookings/rebookings',
  scope: ['operator.orders.write', 'operator.participants.write'],
  tag: 'Orders',
  summary: 'Book a clinic and time for each of many orders.',
  description:
    'By the rules of `PUT /api/operator/v1/orders/{id}/clinic`, one order after the other. Orders that cannot be booked are reported and left as they are.',
  body: z
    .strictObject({
      orders: z
        .array(
          z.strictObject({ id: text(1, 255).describe('Id or code.'), clinicId: text(1, 255), at: instant().nullish() }),
        )
        .min(1)
        .max(MOST_REBOOKED),
      override: Flag.optional().describe('Ignores fee cap, opening hours and full slots. Requires `reason`.'),
      reason: text(1, 1000).optional(),
    })
    .meta({ id: 'RebookingRequest' }),
  replies: { 200: 'What became of each order, in the order of the request.' },
  reply: z.object({ object: z.literal('rebookings'), data: z.array(Rebooking) }).meta({ id: 'Rebookings' }),
  example: {
    body: {
      orders: [{ id: examples.order.id, clinicId: 'clinic-blue-river', at: '2026-03-04T15:00:00Z' }],
      reason: 'The other clinic has closed.',
    },
    reply: examples.rebookings,
  },
})
