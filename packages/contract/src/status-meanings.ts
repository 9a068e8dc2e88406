import type { OrderStatus, ServiceStatus, StatusGroup } from './statuses.ts'

/** Who can act next on an order or a service, and what they do. */
export const ACTORS = {
  participant: 'The person tested, who opens the link, picks a clinic or goes there.',
  requester: 'The person who placed the order, who picks the clinic if you chose `requesterSelects`.',
  clinic: 'The clinic or its collector, who examines the participant or takes the specimen.',
  courier: 'The service that carries the specimen to the laboratory.',
  laboratory: 'The laboratory that tests the specimen.',
  reviewer:
    'The medical reviewer (medical review officer, MRO): a physician who confirms the findings of the laboratory and reports the result.',
  provider: 'The provider of background checks.',
  operator: 'The testing administrator who runs this service.',
  integrator: 'You: the software that placed the order.',
} as const

export type Actor = keyof typeof ACTORS

/** Texts are Markdown. */
export interface StatusMeaning {
  meaning: string
  /** Who acts next; empty if nobody does. */
  next: readonly Actor[]
  /** What an integrator can do, where that is not obvious. */
  advice?: string
}

const NOBODY: readonly Actor[] = []
const ORDER_AGAIN = 'Place a new order if the test is still needed.'

/** Results, which orders and services share. */
const RESULTS = {
  negative: { meaning: 'Nothing was found.', next: NOBODY },
  positive: { meaning: 'A substance or alcohol was found and confirmed.', next: NOBODY },
  adulterated: {
    meaning:
      'Something was added to the specimen that does not belong there. Under DOT rules this is a refusal to test.',
    next: NOBODY,
  },
  substituted: {
    meaning: 'The specimen is not one that a human body produces. Under DOT rules this is a refusal to test.',
    next: NOBODY,
  },
  testCancelled: {
    meaning:
      'The laboratory or the medical reviewer declared the test invalid: it is neither negative nor positive. Not to be confused with `cancelled`.',
    next: NOBODY,
    advice: ORDER_AGAIN,
  },
  testNotPerformed: {
    meaning: 'The participant was there, but the test did not take place, for example because of a refusal.',
    next: NOBODY,
    advice: 'Ask the operator for the reason before you order again.',
  },
  unobtainable: {
    meaning: 'No result could be obtained, for example because the participant could not provide a specimen.',
    next: NOBODY,
    advice: ORDER_AGAIN,
  },
  pass: { meaning: 'The requirements are met.', next: NOBODY },
  fail: { meaning: 'The requirements are not met.', next: NOBODY },
  fitForDuty: { meaning: 'The examination found the participant fit for the job.', next: NOBODY },
  notFitForDuty: { meaning: 'The examination found the participant not fit for the job.', next: NOBODY },
  complete: { meaning: 'The service was carried out. It has no grade.', next: NOBODY },
  released: { meaning: 'The report was released. It has no grade.', next: NOBODY },
} as const satisfies Partial<Record<OrderStatus & ServiceStatus, StatusMeaning>>

const EXCEPTIONS = {
  lostInTransit: {
    meaning: 'The specimen did not arrive at the laboratory.',
    next: ['courier', 'operator'],
    advice: 'Wait: the specimen may be found, or the operator schedules another collection.',
  },
  nonNegative: {
    meaning:
      'A first reading was not negative. It is not a result: the specimen is tested further. DOT tests and others with a medical review never show it.',
    next: ['clinic', 'laboratory', 'reviewer'],
    advice: 'Wait for the result. Do not act on this reading.',
  },
  integrationError: {
    meaning: 'A system of a laboratory, clinic or provider failed, so nobody knows how this test goes on.',
    next: ['operator'],
    advice: 'Wait: the operator resolves it, and the status returns to the one before.',
  },
} as const satisfies Partial<Record<OrderStatus & ServiceStatus, StatusMeaning>>

export const SERVICE_STATUS_MEANINGS: Record<ServiceStatus, StatusMeaning> = {
  ordered: { meaning: 'Placed; no clinic is booked, and nothing has begun.', next: ['participant', 'requester'] },
  linkSent: { meaning: 'The participant has a link to complete the order.', next: ['participant'] },
  scheduled: { meaning: 'A clinic is booked, possibly with a time.', next: ['participant'] },
  checkedIn: { meaning: 'The participant is at the clinic.', next: ['clinic'] },
  collected: { meaning: 'The specimen was taken.', next: ['clinic', 'courier'] },
  inTransit: { meaning: 'The specimen is on its way to the laboratory.', next: ['courier'] },
  receivedAtLab: { meaning: 'The laboratory has the specimen.', next: ['laboratory'] },
  testing: { meaning: 'The laboratory is testing the specimen.', next: ['laboratory'] },
  mroReview: { meaning: 'The medical reviewer has the findings of the laboratory.', next: ['reviewer'] },
  inProgress: { meaning: 'The examination or background check is under way.', next: ['clinic', 'provider'] },
  ...EXCEPTIONS,
  ...RESULTS,
  negativeDilute: {
    meaning: 'Nothing was found, but the specimen was diluted. The order shows `negative`.',
    next: NOBODY,
    advice: 'Check whether your rules, or those of the agency, call for another test.',
  },
  cancelled: { meaning: 'Cancelled, with the order or on its own.', next: NOBODY },
  expired: { meaning: 'The order expired before this service began.', next: NOBODY },
  noShow: { meaning: 'The participant did not come to the appointment.', next: NOBODY },
}

export const ORDER_STATUS_MEANINGS: Record<OrderStatus, StatusMeaning> = {
  ordered: {
    meaning: 'Placed. No clinic is booked, and no service has begun; a link may be on its way to the participant.',
    next: ['participant', 'requester'],
  },
  scheduled: { meaning: 'A clinic is booked, and no service has begun.', next: ['participant'] },
  pending: {
    meaning: 'At least one service is under way, from check-in to medical review.',
    next: ['clinic', 'courier', 'laboratory', 'reviewer', 'provider'],
  },
  incomplete: {
    meaning: 'Some services have a result. Others have not begun, expired, or were missed.',
    next: ['participant', 'integrator'],
    advice: 'If the others are still needed, make sure that the participant goes; otherwise cancel the order.',
  },
  ...EXCEPTIONS,
  ...RESULTS,
  cancelled: { meaning: 'You or the operator cancelled the order, or all of its services.', next: NOBODY },
  expired: { meaning: 'The time in `expiresAt` passed before any service began.', next: NOBODY, advice: ORDER_AGAIN },
  noShow: { meaning: 'The participant did not come to the appointment.', next: NOBODY, advice: ORDER_AGAIN },
}

/** What the `groupType` of history entries means. */
export const STATUS_GROUP_MEANINGS: Record<StatusGroup, string> = {
  ordered: 'Placed, before anything is booked.',
  scheduling: 'A clinic is booked.',
  collection: 'At the clinic.',
  transit: 'On the way to the laboratory.',
  lab: 'At the laboratory.',
  mro: 'With the medical reviewer.',
  processing: 'An examination or background check is under way.',
  exception: 'Something needs attention before the service goes on.',
  final: 'The service has a result.',
  closed: 'The service ended without a result.',
}
