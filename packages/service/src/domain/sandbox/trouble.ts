import type { TroubleKind } from '@order-testing/contract'
import type { Verdict } from '../webhooks/retry.ts'

/** Trouble that a delivery has at its first attempt; the other kinds concern when, and in which version, it is sent. */
export type AttemptTrouble = 'duplicate' | 'wrongSignature'

/** What trouble does to the deliveries of an event. */
export interface TroubledDelivery {
  /** Seconds until the first attempt. */
  wait: number
  /** Whether it is sent as v1 whatever the version of its callback, as after a move to v2. */
  isV1: boolean
  trouble: AttemptTrouble | null
}

const NONE: TroubledDelivery = { wait: 0, isV1: false, trouble: null }

const EFFECTS: Record<TroubleKind, TroubledDelivery> = {
  duplicate: { ...NONE, trouble: 'duplicate' },
  // Until the next event, or this long.
  reorder: { ...NONE, wait: 30 },
  delay: { ...NONE, wait: 60 },
  wrongSignature: { ...NONE, trouble: 'wrongSignature' },
  lateV1: { ...NONE, isV1: true },
}

export const effectOf = (kind: TroubleKind | null): TroubledDelivery => (kind === null ? NONE : EFFECTS[kind])

/** The next attempt after one in trouble, if the receiver has accepted it. */
const AGAIN_AFTER_MS = 1_000

/** Sends a delivery once more although it was accepted: the same again, or with the right signature. */
export const verdictUnder = (trouble: AttemptTrouble | null, verdict: Verdict, now: Date): Verdict =>
  trouble !== null && verdict.state === 'delivered'
    ? { state: 'retry', at: new Date(now.getTime() + AGAIN_AFTER_MS) }
    : verdict
