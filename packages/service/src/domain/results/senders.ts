import type { Problem, Sender, SenderKind } from '@order-testing/contract'
import type { QueueReason, ResultMessage } from '@order-testing/contract/operator'
import type { Caller } from '../access/caller.ts'
import type { OrderService } from '../orders/order.ts'
import { goesToLaboratory, isSpecimenTest, needsReview, wasCollected } from '../orders/service-life.ts'
import { fold } from '../text.ts'

/** Who a result report comes from, as far as the token vouches for it. */
export interface Speaker {
  kind: SenderKind
  id: string
  /** The laboratories it speaks for; null where the token lists none for it. */
  labs: readonly string[] | null
}

/** What is wrong with the sender of a message, given the token that brings it. */
export function checkSender({ kind, id }: ResultMessage['sender'], { scopes, senders }: Grants): Problem[] {
  const wrong = (pointer: string, detail: string): Problem[] => [{ code: 'invalidValue', detail, pointer }]
  if (!scopes.has(`intake.${kind}`)) {
    return wrong('/sender/kind', `This token lacks the scope intake.${kind}, so it cannot send as "${kind}".`)
  }
  if (senders === null) return []
  const roles = senders.filter((sender) => sender.id === id).map(({ role }) => role)
  if (roles.length === 0)
    return wrong(
      '/sender/id',
      'This token is not allowed to send for this sender. Ask the operator to add it to the token.',
    )
  if (roles.includes(kind)) return []
  return wrong('/sender/kind', `This token may send for this sender only as ${roles.join(', ')}.`)
}

type Grants = Pick<Caller, 'scopes' | 'senders'>

export function speakerOf({ kind, id }: ResultMessage['sender'], senders: readonly Sender[] | null): Speaker {
  const listed = senders?.find((sender) => sender.id === id && sender.role === kind)
  return { kind, id, labs: listed?.labs ?? null }
}

/** Whether this is the laboratory that tests the service, or somebody who speaks for it. */
export function isLaboratoryOf({ labs, id }: Speaker, { lab }: Pick<OrderService, 'lab'>): boolean {
  if (lab === null) return false
  return labs === null ? [lab.id, lab.name].some((name) => fold(name) === fold(id)) : labs.includes(lab.id)
}

/** Why a report waits for an operator because of who sent it; undefined where it may be applied. */
export function objectionTo(
  message: Pick<ResultMessage, 'event' | 'result' | 'specimen' | 'match'>,
  service: OrderService,
  speaker: Speaker,
): QueueReason | undefined {
  const { event, result } = message
  if (speaker.labs !== null && service.lab !== null && !isLaboratoryOf(speaker, service)) return 'senderDiffers'
  const isMade = event === 'result' || event === (isSpecimenTest(service) ? 'screened' : 'inProgress')
  if (isMade && !makersOf(service, result).includes(speaker.kind)) return 'senderDiffers'
  if (event !== 'result' || !goesToLaboratory(service) || wasCollected(service)) return undefined
  if (isSiteOutcome(result) && speaker.kind !== 'lab') return undefined
  const namesSpecimen = message.specimen !== undefined || message.match.specimenId !== undefined
  const isOwn = speaker.kind === 'mro' ? needsReview(service) : isLaboratoryOf(speaker, service)
  return namesSpecimen && isOwn ? undefined : 'notCollected'
}

/** The kinds of senders that make the results of a service. */
function makersOf(service: OrderService, result: ResultMessage['result']): readonly SenderKind[] {
  if (service.category === 'background') return ['background']
  if (!isSpecimenTest(service)) return ['clinic']
  const site: SenderKind[] = isSiteOutcome(result) ? ['collector', 'clinic'] : []
  if (goesToLaboratory(service)) return ['lab', 'mro', ...site]
  if (service.category === 'alcohol') return ['bat', 'collector', ...site]
  // A non-negative reading is confirmed by a laboratory and reviewed.
  return ['collector', ...site, ...(wasCollected(service) ? (['lab', 'mro'] as const) : [])]
}

/** Nothing was collected: the collection site is the one to say so. */
const isSiteOutcome = (result: ResultMessage['result']) => result === 'testNotPerformed' || result === 'unobtainable'
