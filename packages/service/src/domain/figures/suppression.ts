/** Counts of results that are smaller could tell about a person. */
export const SMALLEST_SHOWN = 5

/** A count of results, or null if it is too small to be shown. */
export const hideSmall = (count: number): number | null => (count < SMALLEST_SHOWN ? null : count)
