import { randomUUID } from 'node:crypto'

/** Clients may send their own id, to find the request in our logs. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID()
