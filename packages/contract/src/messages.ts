/** States of a notification, which the operator API calls a message. */
export const MESSAGE_STATES = [
  'waiting',
  'sending',
  'sent',
  'failed',
  'dropped',
  'uncertain',
  'suppressed',
  'bounced',
] as const

/** States of notifications that did not arrive, or may not have. */
export const UNSENT_STATES = [
  'failed',
  'uncertain',
  'suppressed',
  'bounced',
] as const satisfies readonly (typeof MESSAGE_STATES)[number][]

/** States that can be resent in bulk; of `waiting`, only notifications that the mail quota holds back. */
export const RESENDABLE_STATES = ['failed', 'uncertain', 'waiting'] as const

/** Why a notification waits, if not for its due time. */
export const WAIT_REASONS = ['quota'] as const

export const MESSAGE_CHANNELS = ['email', 'mobile'] as const

/** How a sent notification came back. */
export const BOUNCE_TYPES = ['hard', 'soft', 'complaint'] as const

/** Why an address must not be written to. */
export const SUPPRESSION_REASONS = ['optOut', 'hardBounce', 'complaint'] as const
