/** Minutes for leaving and parking, for each of the first miles, and for each mile beyond them. */
const START = 2
const NEAR = { miles: 40, minutes: 1.7 }
const FAR_MINUTES = 1

/**
 * Estimates a drive from the distance in a straight line: roads are about a quarter longer, at 45 miles an hour for the first
 * 40 miles and 75 beyond. Rounded to ten minutes from an hour on.
 */
export function driveMinutes(miles: number): number {
  const minutes = START + Math.min(miles, NEAR.miles) * NEAR.minutes + Math.max(0, miles - NEAR.miles) * FAR_MINUTES
  return minutes < 60 ? Math.round(minutes) : Math.round(minutes / 10) * 10
}
