/** The known order statuses. Others may be added, so the schema of an order accepts any string. */
export const ORDER_STATUSES = [
  'adulterated',
  'cancelled',
  'complete',
  'expired',
  'fail',
  'fitForDuty',
  'incomplete',
  'integrationError',
  'negative',
  'lostInTransit',
  'nonNegative',
  'noShow',
  'notFitForDuty',
  'ordered',
  'pass',
  'pending',
  'positive',
  'released',
  'scheduled',
  'substituted',
  'testCancelled',
  'testNotPerformed',
  'unobtainable',
] as const

export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** The known statuses of a service of an order; others may be added, too. */
export const SERVICE_STATUSES = [
  'ordered',
  'linkSent',
  'scheduled',
  'checkedIn',
  'collected',
  'inTransit',
  'lostInTransit',
  'receivedAtLab',
  'testing',
  'nonNegative',
  'mroReview',
  'inProgress',
  'integrationError',
  'negative',
  'negativeDilute',
  'positive',
  'adulterated',
  'substituted',
  'testCancelled',
  'testNotPerformed',
  'unobtainable',
  'pass',
  'fail',
  'fitForDuty',
  'notFitForDuty',
  'complete',
  'released',
  'cancelled',
  'expired',
  'noShow',
] as const

export type ServiceStatus = (typeof SERVICE_STATUSES)[number]

/** The known groups of these statuses. */
export const STATUS_GROUPS = [
  'ordered',
  'scheduling',
  'collection',
  'transit',
  'lab',
  'mro',
  'processing',
  'exception',
  'final',
  'closed',
] as const

export type StatusGroup = (typeof STATUS_GROUPS)[number]
