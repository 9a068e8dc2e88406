import { makeSecretWith, isIntact } from '../access/tokens.ts'

/** Identifies the secrets of sessions and invitations to scanners, and keeps them apart from tokens. */
const SESSION_PREFIX = 'otss_'
const INVITATION_PREFIX = 'otsi_'

type Random = (limit: number) => number

export const makeSessionSecret = (random: Random) => makeSecretWith(SESSION_PREFIX, random)
export const makeInvitationSecret = (random: Random) => makeSecretWith(INVITATION_PREFIX, random)

/** Whether it can be a secret of ours; others are refused without a query. */
export const isSessionSecret = (secret: string) => isIntact(secret, SESSION_PREFIX)
export const isInvitationSecret = (secret: string) => isIntact(secret, INVITATION_PREFIX)
