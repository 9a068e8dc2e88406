import { z } from 'zod'
import { filter } from '../collection.ts'
import { FlagText, Path, Timestamp } from '../primitives.ts'
import { listOf } from '../resource-endpoints.ts'
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

export const listBookings = listOf({
  name: 'listBookings',
  path: '/api/operator/v1/bookings',
  scope: 'operator.orders.read',
  tag: 'Orders',
  summary: 'List open bookings by clinic, the next appointment first.',
  description:
    'Of one clinic, or, with `isActive=false`, of all clinics that were switched off: these have to be booked anew, with ' +
    '`PUT /api/operator/v1/orders/{id}/clinic`. An order that was leaves the list.',
  filters: {
    clinicId: filter('Bookings at this clinic.'),
    isActive: FlagText.optional().meta({
      description: 'Only at active clinics, or only at inactive ones. Without `clinicId` it has to be false.',
    }),
  },
  items: 'bookings',
  item: OpenBooking,
  example: examples.openBooking,
  exampleQuery: { isActive: 'false' },
})
