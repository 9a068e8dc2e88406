import { z } from 'zod'
import { filter } from '../collection.ts'
import * as examples from '../openapi/operator-examples.ts'
import { FlagText, Path, Timestamp } from '../primitives.ts'
import { listOf } from '../resource-endpoints.ts'
import { AfterWrite } from '../write-position.ts'

const named = z.object({ id: z.string(), name: z.string() })

export const OpenBooking = z
  .object({
    object: z.literal('booking'),
    orderId: z.string(),
    code: z.string().describe('Code of the order.'),
    status: z.string().describe('Status of the order.'),
    company: named,
    location: named,
    clinic: named.extend({ isActive: z.boolean() }),
    participant: z
      .object({ firstName: z.string(), lastName: z.string().describe('The initial.') })
      .nullable()
      .describe('Masked. Null for tokens without `operator.participants.read`.'),
    packages: z.array(z.string()).describe('Names of the packages that were ordered.'),
    services: z
      .array(z.object({ serviceId: z.string(), name: z.string() }))
      .describe('What is left to be done at the clinic, with the ids of the catalog.'),
    appointmentAt: Timestamp.nullable().describe('Null if the participant may come at any time.'),
    expiresAt: Timestamp.nullable(),
    url: Path.describe('Path of the order, as operators see it.'),
  })
  .meta({ id: 'OpenBooking', description: 'An order whose participant has not yet been to the clinic.' })

export type OpenBooking = z.infer<typeof OpenBooking>

const bookings = { path: '/api/operator/v1/bookings', tag: 'Orders', one: 'booking', many: 'bookings' }

export const listBookings = listOf(bookings, {
  headers: AfterWrite,
  scope: 'operator.orders.read',
  summary: 'List open bookings by clinic, the next appointment first.',
  description:
    'Bookings at one clinic, of one day or, with `isActive=false`, at all inactive clinics. Move those to another clinic with ' +
    '`PUT /api/operator/v1/orders/{id}/clinic`.',
  filters: {
    clinicId: filter('Bookings at this clinic.'),
    isActive: FlagText.optional().describe(
      'Only at active or only at inactive clinics. Must be false without `clinicId` and `date`.',
    ),
    date: z.iso.date().optional().describe('Appointments of this date, in the zone of each clinic.'),
  },
  item: OpenBooking,
  example: examples.openBooking,
  exampleQuery: { isActive: 'false' },
})
