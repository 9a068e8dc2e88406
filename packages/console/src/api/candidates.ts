import { queryOptions } from '@tanstack/react-query'
import type { FullResult, Order, ResultCandidate } from '@order-testing/client/operator'
import { api } from './client.ts'
import { initialOf, maskOrder, plainName, type ListedOrder } from './masking.ts'
import { READ_ON_PURPOSE } from './orders.ts'

/** What a result report says, as far as it is used to find its order. */
export interface Report {
  match?: { orderCode?: string; specimenId?: string; serviceId?: string; panel?: string }
  participant?: { firstName?: string; lastName?: string; birthDate?: string }
  specimen?: { id?: string }
  sender?: { kind: string; id: string }
}

export type Verdict = 'same' | 'differs' | 'absent'
export type ComparedField = 'orderCode' | 'specimenId' | 'lastName' | 'firstName' | 'birthDate' | 'panel' | 'laboratory'

/** A line of the comparison. A birth date is shown only as equal or not. */
export interface Comparison {
  field: ComparedField
  inReport: string
  inOrder: string | null
  verdict: Verdict
}

/** A service that a report may be about. */
export interface Candidate {
  order: ListedOrder
  serviceId: string
  /** From 0 to 100; null if an operator looked for the order. */
  score: number | null
  comparison: Comparison[]
}

export const reportOf = ({ message }: Pick<FullResult, 'message'>): Report =>
  typeof message === 'object' && message !== null ? message : {}

/** What the service proposes, the most similar first. Which people it compared is recorded. */
export const proposedQuery = (result: FullResult) =>
  queryOptions({
    queryKey: ['candidates', result.id],
    queryFn: async ({ signal }): Promise<Candidate[]> => {
      const { data } = await api.call('readCandidates', { params: { id: result.id } }, { signal })
      return data.map((candidate) => fromProposal(reportOf(result), candidate))
    },
    ...READ_ON_PURPOSE,
  })

/** Services of the order with this code, or with this specimen. */
export const foundQuery = (result: FullResult, text: string) =>
  queryOptions({
    queryKey: ['candidates', result.id, text],
    queryFn: async ({ signal }): Promise<Candidate[]> => {
      const { data } = await api.call(
        'readCandidates',
        { params: { id: result.id }, query: { order: text.trim() } },
        { signal },
      )
      return data.map((candidate) => ({ ...fromProposal(reportOf(result), candidate), score: null }))
    },
    enabled: text.trim() !== '',
  })

function fromProposal(report: Report, { order, serviceId, score, agrees, differs }: ResultCandidate): Candidate {
  const known = [...differs, ...agrees] as ComparedField[]
  const comparison = known.map((field): Comparison => {
    const [inReport, inOrder] = valuesOf(field, report, order, serviceId)
    const verdict = (differs as string[]).includes(field) ? 'differs' : 'same'
    return { field, inReport: inReport ?? '', inOrder, verdict }
  })
  return { order: maskOrder(order), serviceId, score, comparison }
}

const HIDDEN_DATE = '••••-••-••'

/** What report and order have for a field, masked. */
function valuesOf(
  field: ComparedField,
  { match, participant, specimen, sender }: Report,
  order: Order,
  serviceId: string,
): [string | undefined, string | null] {
  const service = order.services.find(({ id }) => id === serviceId)
  const person = order.participant
  const values: Record<ComparedField, [string | undefined, string | null]> = {
    orderCode: [match?.orderCode, order.code],
    specimenId: [match?.specimenId ?? specimen?.id, service?.specimenId ?? null],
    lastName: [initial(participant?.lastName), initial(person?.lastName) ?? null],
    firstName: [
      participant?.firstName && plainName(participant.firstName),
      person ? plainName(person.firstName) : null,
    ],
    birthDate: [participant?.birthDate && HIDDEN_DATE, person ? HIDDEN_DATE : null],
    panel: [match?.panel, service?.name ?? null],
    laboratory: [sender?.kind === 'lab' ? sender.id : undefined, service?.lab?.id ?? null],
  }
  return values[field]
}

const initial = (name: string | undefined) => (name ? initialOf(name) : undefined)
