/** What may be said of a message to a participant or requester; only operators hear of it. */
export const MESSAGE_STATES = ['waiting', 'sending', 'sent', 'failed', 'dropped', 'uncertain'] as const

/** Those of what did not arrive, or may not have: many of them can be sent once more at once. */
export const UNSENT_STATES = ['failed', 'uncertain'] as const satisfies readonly (typeof MESSAGE_STATES)[number][]

/** What many messages can be sent once more by at once: of those that wait, only what the mail quota holds back. */
export const RESENDABLE_STATES = [...UNSENT_STATES, 'waiting'] as const

/** Why a message waits, where its time alone does not say. */
export const WAIT_REASONS = ['quota'] as const

export const MESSAGE_CHANNELS = ['email', 'mobile'] as const
