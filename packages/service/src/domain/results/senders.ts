import type { Problem, Sender, SenderKind } from '@order-testing/contract'
import type { QueueReason, ResultMessage } from '@order-testing/contract/operator'
import type { Caller } from '../access/caller.ts'
import type { OrderService } from '../orders/order.ts'
import { goesToLaboratory, isSpecimenTest, needsReview, wasCollected } from '../orders/service-life.ts'
import { problemAt } from '../refusal.ts'
import { fold } from '../text.ts'

/** The sender of a report as the token vouches for it. */
export interface Speaker {
  kind: SenderKind
  id: string
  /** Whether the token lists it. */
  isListed: boolean
  /** The laboratories it speaks for; null if the token lists none. */
  labs: readonly string[] | null
}

/** Checks whether the token may speak for the sender. */
export function checkSender(
  { kind, id }: ResultMessage['sender'],
  { scopes, senders }: Pick<Caller, 'scopes' | 'senders'>,
): Problem[] {
  const wrong = (pointer: string, detail: string) => [problemAt(pointer, 'invalidValue', detail)]
  if (!scopes.has(`intake.${kind}`)) {
    return wrong('/sender/kind', `This token may not report as a ${kind}: it lacks the scope intake.${kind}.`)
  }
  if (senders === null) return []
  const roles = senders.filter((sender) => sender.id === id).map(({ role }) => role)
  if (roles.length === 0) return wrong('/sender/id', 'This token may not report for this sender.')
  if (roles.includes(kind)) return []
  return wrong('/sender/kind', `This token may report for this sender only as ${roles.join(', ')}.`)
}

export function findSpeaker({ kind, id }: ResultMessage['sender'], senders: readonly Sender[] | null): Speaker {
  const listed = senders?.find((sender) => sender.id === id && sender.role === kind)
  return { kind, id, isListed: listed !== undefined, labs: listed?.labs ?? null }
}

/** Whether the speaker is the laboratory that tests the service, or speaks for it. */
export function isLaboratoryOf({ labs, id }: Speaker, { lab }: Pick<OrderService, 'lab'>): boolean {
  if (lab === null) return false
  return labs === null ? [lab.id, lab.name].some((name) => fold(name) === fold(id)) : labs.includes(lab.id)
}

/** Why the sender of a report makes an operator decide; undefined if the report may be applied. */
export function findObjection(
  report: Pick<ResultMessage, 'event' | 'result' | 'specimen' | 'match'>,
  service: OrderService,
  speaker: Speaker,
): QueueReason | undefined {
  const { event, result } = report
  if (speaker.labs !== null && service.lab !== null && !isLaboratoryOf(speaker, service)) return 'senderDiffers'
  const isFinding = event === 'result' || event === (isSpecimenTest(service) ? 'screened' : 'inProgress')
  if (isFinding && !reportersOf(service, result).includes(speaker.kind)) return 'senderDiffers'
  if (!goesToLaboratory(service) || wasCollected(service)) return undefined
  if (event !== 'result') {
    // Such a report implies the collection, and would open the way for a result.
    const isForeign = speaker.kind === 'lab' && service.lab !== null && !isLaboratoryOf(speaker, service)
    return isForeign && speaker.isListed ? 'notCollected' : undefined
  }
  if (isSiteOutcome(result) && speaker.kind !== 'lab') return undefined
  const namesSpecimen = report.specimen !== undefined || report.match.specimenId !== undefined
  const isOwn = speaker.kind === 'mro' ? needsReview(service) : isLaboratoryOf(speaker, service)
  return namesSpecimen && isOwn ? undefined : 'notCollected'
}

/** The kinds of senders that may report results of a service. */
function reportersOf(service: OrderService, result: ResultMessage['result']): readonly SenderKind[] {
  if (service.category === 'background') return ['background']
  if (!isSpecimenTest(service)) return ['clinic']
  const site: SenderKind[] = isSiteOutcome(result) ? ['collector', 'clinic'] : []
  if (goesToLaboratory(service)) return ['lab', 'mro', ...site]
  if (service.category === 'alcohol') return ['bat', 'collector', ...site]
  // A non-negative reading is confirmed by a laboratory and reviewed.
  return ['collector', ...site, ...(wasCollected(service) ? (['lab', 'mro'] as const) : [])]
}

/** The collection site reports that nothing was collected. */
const isSiteOutcome = (result: ResultMessage['result']) => result === 'testNotPerformed' || result === 'unobtainable'
