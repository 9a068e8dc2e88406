import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DeviceMark } from '../../operations/participants/devices.ts'
import { DRAFT_LIFETIME_MS } from '../../store/participants/drafts.ts'

/** What was entered so far. An address without this cookie shows nothing of it. */
export const readDraft = ({ headers: { cookie = '' } }: FastifyRequest) => /(?:^|; )draft=([^;]*)/.exec(cookie)?.[1]

/** The cookies of known devices, by name. */
export const readMarks = ({ headers: { cookie = '' } }: FastifyRequest): Record<string, string> =>
  Object.fromEntries([...cookie.matchAll(/(?:^|; )(d_[\w-]{12})=([\w-]+)/g)].map(([, name, value]) => [name!, value!]))

/** A computer that many people use forgets the oldest, so that its requests stay small. */
const MOST_MARKS = 20

/** Makes the browser known to an order, for all links to it. */
export function keepMark(request: FastifyRequest, reply: FastifyReply, { name, value, until }: DeviceMark): void {
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const attributes = `Path=/o; HttpOnly; SameSite=Lax${secure}`
  const others = Object.keys(readMarks(request)).filter((each) => each !== name)
  for (const old of others.slice(0, Math.max(0, others.length - MOST_MARKS + 1)))
    void reply.header('set-cookie', `${old}=; ${attributes}; Max-Age=0`)
  void reply.header('set-cookie', `${name}=${value}; ${attributes}; Expires=${until.toUTCString()}`)
}

/** Keeps the draft in a cookie for this link alone, so that several orders in one browser do not mix, or forgets it. */
export function keepDraft(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, draft }: { path: string; draft: string | undefined },
): FastifyReply {
  if (draft === undefined) return reply
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const age = draft === '' ? 0 : DRAFT_LIFETIME_MS / 1_000
  return reply.header('set-cookie', `draft=${draft}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`)
}
