import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import type {
  ClinicAssignment,
  ExportOrdersQuery,
  OperatorOrder,
  OperatorOrderRequest,
  Order,
  OrderParticipant,
  ServiceCorrection,
  ServiceMove,
} from '@order-testing/client/operator'
import { api, backgroundApi } from './client.ts'
import { statusOf } from './failures.ts'
import { maskOrder, type ListedOrder } from './masking.ts'
import type { OrderFilters } from './order-filters.ts'

export type ReadOrder = Omit<OperatorOrder, 'order'> & { order: ListedOrder }

/** The most that the service gives at once. */
const PAGE = 20

export const ordersQuery = (filters: OrderFilters) =>
  infiniteQueryOptions({
    queryKey: ['orders', filters],
    queryFn: async ({ pageParam, signal, client, queryKey }) => {
      // A list that is read again because orders have changed does not keep a session alive.
      const reader = client.getQueryData(queryKey) === undefined ? api : backgroundApi
      const query = { ...filters, participants: 'masked', limit: PAGE, page: pageParam } as const
      const page = await reader.call('operatorListOrders', { query }, { signal })
      return { ...page, data: page.data.map(maskOrder) }
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  })

/** A page of the list, for what is done to all orders of a filter. */
export async function readOrdersPage(filters: OrderFilters, page: number) {
  const query = { ...filters, participants: 'masked', limit: PAGE, page } as const
  const found = await api.call('operatorListOrders', { query })
  return { total: found.total, data: found.data.map(maskOrder) }
}

/** Reads the orders of a filter as CSV, up to a few hundred at once. */
export const exportOrders = (filters: OrderFilters) => async (part: Pick<ExportOrdersQuery, 'limit' | 'before'>) =>
  (await api.call('exportOrders', { query: { ...filters, ...part } })).text()

/** How many orders match, for the tabs of saved views. */
export const orderCountQuery = (filters: OrderFilters) =>
  queryOptions({
    queryKey: ['orders', 'count', filters],
    queryFn: async ({ signal }) =>
      (
        await backgroundApi.call(
          'operatorListOrders',
          { query: { ...filters, participants: 'masked', limit: 1 } },
          { signal },
        )
      ).total,
    staleTime: 60_000,
  })

/** Each read of a person's data is recorded, so none happens just because a window comes to the front. */
export const READ_ON_PURPOSE = { staleTime: 60_000, refetchOnWindowFocus: false } as const

/** By id or code. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['order', id],
    queryFn: async ({ signal }) =>
      masked(await api.call('operatorReadOrder', { params: { id }, query: { participants: 'masked' } }, { signal })),
    ...READ_ON_PURPOSE,
  })

/** Reads the participant in full. The service records the read under the name of who asked. */
export async function revealParticipant(id: string): Promise<OrderParticipant | null> {
  const { order } = await api.call('operatorReadOrder', { params: { id } })
  return order.participant ?? null
}

const masked = ({ order, ...rest }: OperatorOrder): ReadOrder => ({ ...rest, order: maskOrder(order) })

/** Places an order for a client. The key keeps a repeated request from placing it twice. */
export const placeOrder = (body: OperatorOrderRequest, key: string, signal: AbortSignal) =>
  api.send<Order>({ method: 'POST', path: '/api/operator/v1/orders', body, key }, { signal })

export const moveService = (params: { id: string; serviceId: string }, body: ServiceMove, signal: AbortSignal) =>
  api.call('moveService', { params, body }, { signal }).then(masked)

export const correctService = (
  params: { id: string; serviceId: string },
  body: ServiceCorrection,
  signal: AbortSignal,
) => api.call('correctService', { params, body }, { signal }).then(masked)

/** `basedOn` is the version of the order that somebody decided about. */
export const cancelOrder = (
  id: string,
  { reason, basedOn }: { reason: string; basedOn?: string },
  signal?: AbortSignal,
) => {
  const body = { ...(reason && { reason }), ...(basedOn && { basedOn }) }
  return api.call('operatorCancelOrder', { params: { id }, body }, { signal }).then(masked)
}

export const bookClinic = (id: string, body: ClinicAssignment, signal: AbortSignal) =>
  api.call('setClinic', { params: { id }, body }, { signal }).then(masked)

export const clearClinic = (id: string, signal: AbortSignal) =>
  api.call('clearClinic', { params: { id } }, { signal }).then(masked)

export const extendOrder = (
  id: string,
  body: { days: number; reason: string; basedOn?: string },
  signal?: AbortSignal,
) => api.call('extendOrder', { params: { id }, body }, { signal }).then(masked)

export const changeContact = (
  id: string,
  body: { email?: string; phone?: string; reason: string; basedOn?: string },
  signal: AbortSignal,
) => api.call('changeContact', { params: { id }, body }, { signal }).then(masked)

export const sendLink = (id: string) => api.call('sendLink', { params: { id }, body: {} })

/** Puts a changed order where it is shown, and lets lists ask again. */
export async function keepChanged(queries: QueryClient, changed: ReadOrder): Promise<void> {
  for (const key of [changed.order.id, changed.order.code]) queries.setQueryData(['order', key], changed)
  await queries.invalidateQueries({ queryKey: ['orders'] })
}

/** Reads an order again that somebody else has changed. */
export const readAgain = (queries: QueryClient, { id, code }: { id: string; code: string }) =>
  Promise.all([id, code].map((key) => queries.invalidateQueries({ queryKey: ['order', key] })))

export const callbacksQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['callbacks', orderId],
    queryFn: ({ signal }) => api.call('listCallbacks', { query: { orderId, isActive: true } }, { signal }),
    staleTime: 60_000,
  })

/** Orders by code, external id, specimen, or name, birth date, e-mail and phone of their participant. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) => {
      const start = performance.now()
      const found = await search(text, signal)
      return { ...found, ms: Math.round(performance.now() - start) }
    },
    enabled: text.trim().length >= 2,
    staleTime: 30_000,
  })

/** The service knows what the text may be; without the right to see participants it finds codes and ids only. */
async function search(text: string, signal: AbortSignal): Promise<{ found: ListedOrder[]; isMore: boolean }> {
  try {
    const { data, isMore } = await api.call('searchOrders', { body: { q: text, limit: 10 } }, { signal })
    return { found: data.map(({ order }) => maskOrder(order)), isMore }
  } catch (error) {
    if (statusOf(error) === 400) return { found: [], isMore: false }
    throw error
  }
}
