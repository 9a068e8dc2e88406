import { randomUUID } from 'node:crypto'

/** Of this process: a UUID of version 8, whose last part is counted. */
const PREFIX = `${randomUUID().slice(0, 14)}8${randomUUID().slice(15, 24)}`

let made = 0

/** A counter takes a tenth of the time of a random id. */
export const makeRequestId = (): string => PREFIX + String(++made).padStart(12, '0')

/** Clients may send their own id, to find the request in our logs. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : makeRequestId()
