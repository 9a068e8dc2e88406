import type { QueueReason, ResultMessage } from '@order-testing/contract/operator'
import { compareFirst, compareLast, normaliseName } from '../matching/names.ts'
import { normaliseCode } from '../orders/code.ts'
import type { Order, OrderService, Participant } from '../orders/order.ts'
import { goesToLaboratory } from '../orders/service-life.ts'
import { isOpen } from '../orders/statuses.ts'
import { fold } from '../text.ts'
import { isLaboratoryOf, type Speaker } from './senders.ts'

/** The service that a report is about. */
export interface Target {
  order: Order
  service: OrderService
  /** Whether the person in the report agrees with the participant. */
  isPerson: boolean
}

/** What the catalog knows about an HL7 panel (OBR-4). */
export interface PanelReading {
  /** The services that laboratories use this code for. */
  codes: readonly { lab: string; serviceId: string }[]
  /** Whether it is the id or name of a service. */
  isService: boolean
}

interface Candidate {
  order: Order
  service: OrderService
}

/** Finds the service that a report is about among the orders it refers to. HL7 panels are looked up in the catalog. */
export function findTarget(
  { match, participant = {} }: Pick<ResultMessage, 'match' | 'participant'>,
  orders: readonly Order[],
  hl7?: { speaker: Speaker; reading: PanelReading | undefined },
): Target | QueueReason {
  const all = orders.flatMap((order) => order.services.map((service) => ({ order, service })))
  const code = match.orderCode === undefined ? undefined : normaliseCode(match.orderCode)
  const mapped = hl7?.reading ? servicesOf(hl7.reading, hl7.speaker) : []
  const isPanel = ({ service }: Candidate) => isNamed(service, match.panel!) || mapped.includes(service.serviceId)
  const references: (((of: Candidate) => boolean) | undefined)[] = [
    match.serviceId === undefined ? undefined : ({ service }) => service.id === match.serviceId,
    code === undefined ? undefined : ({ order }) => order.code === code,
    match.specimenId === undefined ? undefined : ({ service }) => service.specimenId === match.specimenId,
    match.panel === undefined ? undefined : isPanel,
  ]
  const given = references.filter((fits) => fits !== undefined)
  const fitting = all.filter((each) => given.every((fits) => fits(each)))
  const [target] = fitting
  const found = fitting.length === 1 ? target : undefined
  const isUnknown = hl7?.reading && !hl7.reading.isService && mapped.length === 0
  // If the catalog does not know the laboratory's code, the other references decide.
  const others = references.slice(0, -1).filter((fits) => fits !== undefined)
  const possible = target ? fitting : isUnknown ? all.filter((each) => others.every((fits) => fits(each))) : []
  const only = found ?? (hl7 && onlyTestable(possible, hl7.speaker))
  if (only) return { ...only, isPerson: agrees(participant, only.order.participant) }
  if (target) return 'severalMatches'
  return all.length > 0 && given.length > 1 ? 'matchesDisagree' : 'noMatch'
}

/** The only open service among the candidates that this laboratory can test; undefined if there are several. */
function onlyTestable(candidates: Candidate[], speaker: Speaker): Candidate | undefined {
  const isReviewer = speaker.kind === 'mro' && speaker.labs === null
  const testable = candidates.filter(
    ({ service }) =>
      isOpen(service.status) &&
      goesToLaboratory(service) &&
      (service.lab === null || isReviewer || isLaboratoryOf(speaker, service)),
  )
  return testable.length === 1 ? testable[0] : undefined
}

/** The services that the speaker's laboratories use the code for. */
export const servicesOf = ({ codes }: PanelReading, { labs, id }: Speaker): string[] =>
  codes
    .filter(({ lab }) => (labs === null ? fold(lab) === fold(id) : labs.includes(lab)))
    .map(({ serviceId }) => serviceId)

const isNamed = ({ serviceId, name }: OrderService, panel: string) => serviceId === panel || fold(name) === fold(panel)

/** Whether the person in the report can be the participant. Missing members agree with everyone. */
function agrees(person: NonNullable<ResultMessage['participant']>, participant: Participant): boolean {
  const [last, first] = [normaliseName(participant.lastName), namesOf(participant.firstName, participant.middleName)]
  return (
    (person.lastName === undefined || compareLast(normaliseName(person.lastName), last).kind !== 'different') &&
    (person.firstName === undefined || compareFirst(namesOf(person.firstName), first).kind !== 'different') &&
    (person.birthDate === undefined || participant.birthDate === null || person.birthDate === participant.birthDate)
  )
}

const namesOf = (first: string, middle: string | null = null) => ({
  first: normaliseName(first),
  middle: normaliseName(middle ?? ''),
})
