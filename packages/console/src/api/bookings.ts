import { queryOptions } from '@tanstack/react-query'
import type { ListBookingsQuery, OpenBooking, RebookingRequest } from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'
import { plainName } from './masking.ts'

/** The most that the service gives at once, and how many pages of it are shown. */
const PAGE = 20
const MOST_PAGES = 15

async function readAll(query: ListBookingsQuery, signal: AbortSignal): Promise<OpenBooking[]> {
  const found: OpenBooking[] = []
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, total } = await backgroundApi.call(
      'listBookings',
      { query: { ...query, limit: PAGE, page } },
      { signal },
    )
    found.push(...data)
    if (data.length === 0 || found.length >= total) break
  }
  return found
}

/** Appointments of a date, in the zone of each clinic. */
export const bookingsOfDayQuery = (date: string) =>
  queryOptions({
    queryKey: ['bookings', 'day', date],
    queryFn: ({ signal }) => readAll({ date }, signal),
    refetchInterval: 60_000,
  })

/** Bookings at clinics that were switched off: each of them needs another clinic. */
export const strandedQuery = queryOptions({
  queryKey: ['bookings', 'stranded'],
  queryFn: ({ signal }) => readAll({ isActive: false }, signal),
  refetchInterval: 60_000,
})

/** Everybody who is booked at a clinic, on any day. */
export const clinicBookingsQuery = (clinicId: string) =>
  queryOptions({
    queryKey: ['bookings', 'clinic', clinicId],
    queryFn: ({ signal }) => readAll({ clinicId }, signal),
  })

export const clinicDayQuery = (id: string, date: string) =>
  queryOptions({
    queryKey: ['bookings', 'clinicDay', id, date],
    queryFn: ({ signal }) => backgroundApi.call('readClinicDay', { params: { id }, query: { date } }, { signal }),
    refetchInterval: 60_000,
  })

/** First name and initial; nothing for roles that may not see participants. */
export const nameOf = ({ participant }: Pick<OpenBooking, 'participant'>): string =>
  participant ? plainName(`${participant.firstName} ${participant.lastName}`) : ''

export const rebookOrders = (orders: RebookingRequest['orders']) => api.call('rebookOrders', { body: { orders } })
