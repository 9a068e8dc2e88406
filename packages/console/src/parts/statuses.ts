/** How a status looks: its shape and its color say the same as its word. */
export type Shape = 'dashed' | 'ring' | 'pie' | 'check' | 'alert' | 'bar' | 'struck' | 'triangle'
export type Tone = 'neutral' | 'progress' | 'good' | 'warn' | 'bad'
export type Actor =
  | 'participant'
  | 'requester'
  | 'clinic'
  | 'courier'
  | 'laboratory'
  | 'reviewer'
  | 'provider'
  | 'operator'
  | 'integrator'
  | 'nobody'

interface Look {
  shape: Shape
  tone: Tone
  /** How much of the pie is filled. */
  part?: number
  /** Who acts next. */
  actor: Actor
}

const pie = (part: number, actor: Actor): Look => ({ shape: 'pie', tone: 'progress', part, actor })
const good: Look = { shape: 'check', tone: 'good', actor: 'nobody' }
const bad: Look = { shape: 'alert', tone: 'bad', actor: 'nobody' }
const without: Look = { shape: 'bar', tone: 'neutral', actor: 'nobody' }
const closed: Look = { shape: 'struck', tone: 'neutral', actor: 'nobody' }
const exception = (actor: Actor): Look => ({ shape: 'triangle', tone: 'warn', actor })

/** The statuses of orders and services. */
export const LOOKS: Record<string, Look> = {
  ordered: { shape: 'dashed', tone: 'neutral', actor: 'participant' },
  linkSent: { shape: 'ring', tone: 'neutral', actor: 'participant' },
  scheduled: pie(0.25, 'participant'),
  checkedIn: pie(0.4, 'clinic'),
  inProgress: pie(0.5, 'clinic'),
  pending: pie(0.5, 'laboratory'),
  collected: pie(0.5, 'courier'),
  inTransit: pie(0.6, 'courier'),
  receivedAtLab: pie(0.7, 'laboratory'),
  testing: pie(0.8, 'laboratory'),
  mroReview: pie(0.9, 'reviewer'),
  incomplete: { shape: 'pie', tone: 'warn', part: 0.5, actor: 'participant' },
  lostInTransit: exception('courier'),
  nonNegative: exception('laboratory'),
  integrationError: exception('operator'),
  negative: good,
  negativeDilute: good,
  pass: good,
  fitForDuty: good,
  complete: good,
  released: good,
  positive: bad,
  adulterated: bad,
  substituted: bad,
  fail: bad,
  notFitForDuty: bad,
  testCancelled: without,
  testNotPerformed: without,
  unobtainable: without,
  cancelled: closed,
  expired: closed,
  noShow: closed,
}

const UNKNOWN: Look = { shape: 'ring', tone: 'neutral', actor: 'nobody' }

/** Services may report statuses that this console does not know yet. */
export const lookOf = (status: string): Look => LOOKS[status] ?? UNKNOWN

const ENDS: ReadonlySet<Shape> = new Set(['check', 'alert', 'bar'])

export const isResult = (status: string) => ENDS.has(lookOf(status).shape)
export const isClosed = (status: string) => isResult(status) || lookOf(status).shape === 'struck'

/** Statuses before anything was collected. */
export const isBeforeCheckIn = (status: string) => ['ordered', 'linkSent', 'scheduled'].includes(status)
