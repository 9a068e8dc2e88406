import type { Page } from '../page.ts'

/** The reference of meanings: what codes, statuses, scores, schedules, signatures and limits mean. */
export const meaningPages = (): Page[] => []

export const signatureVectors = (): object => ({})
