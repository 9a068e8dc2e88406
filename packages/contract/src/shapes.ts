import { z } from 'zod'
import { LIMIT, type Collection } from './collection.ts'

/** An identifier in a path. One that cannot exist is simply not found, so nothing is refused here. */
export const resourceId = (what: string) => z.string().meta({ description: `Identifier of the ${what}.` })

/** A first page that holds one resource, for examples. */
export const page = <T>(item: T): Collection<T> => ({ data: [item], limit: LIMIT.default, page: 1, total: 1 })
