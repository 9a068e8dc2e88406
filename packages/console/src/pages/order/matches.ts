import type { TimelineEntry } from '@order-testing/client/operator'

export interface MatchPart {
  field: string
  kind: string
  similarity: number
  weight: number
}

/** A request that was answered with an order on file, as the time line tells it. */
export interface Match {
  at: string
  score: number
  minScore: number
  profile: string
  parts: MatchPart[]
  caps: { reason: string; limit: number }[]
}

/** Newest first. Those of earlier releases may have no explanation. */
export function matchesOf(timeline: readonly TimelineEntry[]): Match[] {
  return timeline
    .filter(({ type }) => type === 'match')
    .map(({ at, details }) => {
      const { score = 0, minScore = 0, profile = '', parts = [], caps = [] } = details as Partial<Match>
      return { at, score, minScore, profile, parts, caps }
    })
    .toReversed()
}

/** What a member adds to the score, with one decimal at most. */
export const pointsOf = ({ similarity, weight }: Pick<MatchPart, 'similarity' | 'weight'>): number =>
  Math.round(similarity * weight * 10) / 10
