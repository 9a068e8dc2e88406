/** The longest header that is looked at: later versions of the format may add to it. */
const LONGEST = 512

const SHAPE = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-.*)?$/

/**
 * Reads the trace of a W3C `traceparent` header: its trace id and whether it is sampled, as `4bf92f…-01`. Undefined for a header
 * that is invalid, which the standard says to ignore.
 */
export function readTrace(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header.length > LONGEST) return undefined
  const [, version, traceId, flags, rest] = SHAPE.exec(header) ?? []
  // Only later versions may have more members.
  if (traceId === undefined || (version === '00' && rest !== undefined)) return undefined
  return `${traceId}-0${Number.parseInt(flags!, 16) & 1}`
}

export const traceIdOf = (trace: string): string => trace.slice(0, 32)

/** The header of a request that belongs to a trace; `parentId` names that request, in 16 hexadecimal digits. */
export function composeTraceparent(trace: string, parentId: string): string {
  const [traceId, flags] = trace.split('-')
  return `00-${traceId}-${parentId}-${flags}`
}
