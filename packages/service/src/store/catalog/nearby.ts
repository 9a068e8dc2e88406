import { onSphere, type Point } from '../../domain/places/postal-places.ts'
import { sql, type Statement } from '../db/sql.ts'

/** The place of a point in column `position`. */
export const positionOf = (point: Point): Statement => sql`cube(${onSphere(point)}::float8[])`

/** A condition for clinics at most so far away in a straight line. */
export const isWithin = (point: Point, chord: number): Statement => sql`position <-> ${positionOf(point)} <= ${chord}`

/** A condition for clinics in the box around that circle, which an index finds. */
export function isInBox(point: Point, chord: number): Statement {
  const [x, y, z] = onSphere(point)
  return sql`cube_ll_coord(position, 1) between ${x - chord} and ${x + chord}
    and cube_ll_coord(position, 2) between ${y - chord} and ${y + chord}
    and cube_ll_coord(position, 3) between ${z - chord} and ${z + chord}`
}
