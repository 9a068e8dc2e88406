import { queryOptions } from '@tanstack/react-query'
import type { FullResult, Order } from '@order-testing/client/operator'
import { api } from './client.ts'
import { maskOrder, type ListedOrder } from './masking.ts'
import { codeOf } from './orders.ts'

/** What a result report says, as far as it is used to find its order. */
export interface Report {
  match?: { orderCode?: string; specimenId?: string; serviceId?: string; panel?: string }
  participant?: { firstName?: string; lastName?: string; birthDate?: string }
  specimen?: { id?: string }
  sender?: { kind: string; id: string }
}

export type Verdict = 'same' | 'differs' | 'absent'

/** A line of the comparison. Names are shown, because people judge them; a birth date only as equal or not. */
export interface Comparison {
  field: 'name' | 'birthDate' | 'specimenId' | 'laboratory'
  inReport: string
  inOrder: string | null
  verdict: Verdict
}

export interface Candidate {
  order: ListedOrder
  comparison: Comparison[]
}

export const reportOf = ({ message }: Pick<FullResult, 'message'>): Report =>
  typeof message === 'object' && message !== null ? message : {}

/** Orders that a report may be about: found by a code or a specimen. */
export const candidatesQuery = (result: FullResult, text: string) =>
  queryOptions({
    queryKey: ['candidates', result.id, text],
    queryFn: async ({ signal }): Promise<Candidate[]> => {
      const code = codeOf(text)
      const query = code === undefined ? { specimenId: text } : { code }
      const { data } = await api.call('operatorListOrders', { query: { ...query, limit: 5 } }, { signal })
      return data.map((order) => ({ order: maskOrder(order), comparison: compare(reportOf(result), order) }))
    },
    enabled: text.trim() !== '',
  })

function compare({ participant, match, specimen, sender }: Report, order: Order): Comparison[] {
  const person = order.participant
  const specimenId = match?.specimenId ?? specimen?.id
  const lines: (Comparison | undefined)[] = [
    participant?.lastName === undefined ? undefined : line('name', fullName(participant), person && fullName(person)),
    participant?.birthDate === undefined
      ? undefined
      : line('birthDate', participant.birthDate, person?.birthDate, () => '••••-••-••'),
    specimenId === undefined
      ? undefined
      : line(
          'specimenId',
          specimenId,
          closest(
            order.services.map((each) => each.specimenId),
            specimenId,
          ),
        ),
    sender?.kind === 'lab'
      ? line(
          'laboratory',
          sender.id,
          closest(
            order.services.map(({ lab }) => lab?.id ?? null),
            sender.id,
          ),
        )
      : undefined,
  ]
  return lines.filter((each) => each !== undefined)
}

function line(
  field: Comparison['field'],
  inReport: string,
  inOrder: string | null | undefined,
  mask = (value: string) => value,
): Comparison {
  const verdict = inOrder == null ? 'absent' : inReport.toLowerCase() === inOrder.toLowerCase() ? 'same' : 'differs'
  return { field, inReport: mask(inReport), inOrder: inOrder == null ? null : mask(inOrder), verdict }
}

/** The equal value, or the first there is. */
const closest = (values: (string | null)[], wanted: string) =>
  values.find((each) => each === wanted) ?? values.find((each) => each !== null)

const fullName = ({ firstName = '', lastName = '' }: { firstName?: string; lastName?: string }) =>
  `${firstName} ${lastName}`.trim()
