import { z } from 'zod'
import { collection, filter, paging } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { FlagText, Path, Timestamp } from '../primitives.ts'
import { page } from '../shapes.ts'
import * as examples from '../openapi/operator-examples.ts'

const named = z.object({ id: z.string(), name: z.string() })

const OpenBooking = z
  .object({
    object: z.literal('booking'),
    orderId: z.string(),
    code: z.string().meta({ description: 'Code of the order.' }),
    status: z.string().meta({ description: 'Status of the order.' }),
    company: named,
    location: named,
    clinic: named.extend({ isActive: z.boolean() }),
    appointmentAt: Timestamp.nullable().meta({ description: 'Null where the participant may come at any time.' }),
    expiresAt: Timestamp.nullable(),
    url: Path.meta({ description: 'Path of the order, as operators see it.' }),
  })
  .meta({ id: 'OpenBooking', description: 'An order whose participant has still to go to its clinic.' })

export type OpenBooking = z.infer<typeof OpenBooking>

export const listBookings = endpoint({
  name: 'listBookings',
  method: 'GET',
  path: '/api/operator/v1/bookings',
  scope: 'operator.orders.read',
  tag: 'Orders',
  summary: 'List open bookings by clinic, the next appointment first.',
  description:
    'Of one clinic, or, with `isActive=false`, of all clinics that were switched off: these have to be booked anew, with ' +
    '`PUT /api/operator/v1/orders/{id}/clinic`. An order that was leaves the list.',
  query: z.strictObject({
    ...paging,
    clinicId: filter('Bookings at this clinic.'),
    isActive: FlagText.optional().meta({
      description: 'Only at active clinics, or only at inactive ones. Without `clinicId` it has to be false.',
    }),
  }),
  replies: { 200: 'A page of bookings.' },
  reply: collection(OpenBooking, 'OpenBookingCollection'),
  refusals: [400],
  example: { query: { isActive: 'false' }, reply: page(examples.openBooking) },
})
