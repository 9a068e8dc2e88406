import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_COOKIE } from '@order-testing/contract/operator'
import { hashSecret } from '../domain/access/tokens.ts'
import { isSessionSecret } from '../domain/users/secrets.ts'
import { shortAgent, type SessionLimits } from '../domain/users/sessions.ts'
import type { Browser } from '../operations/users/sessions.ts'

export interface CookieOptions {
  limits: SessionLimits
  /** The origin of OTS_PUBLIC_URL. */
  publicOrigin: string | undefined
}

const SESSION = { name: SESSION_COOKIE, path: '/', sameSite: 'Strict' } as const

export function keepSession(reply: FastifyReply, secret: string, options: CookieOptions): void {
  setCookie(reply, { ...SESSION, value: secret, age: Math.floor(options.limits.lifetime) }, options)
}

export function forgetSession(reply: FastifyReply, options: CookieOptions): void {
  setCookie(reply, { ...SESSION, value: '', age: 0 }, options)
}

interface Cookie {
  name: string
  value: string
  path: string
  sameSite: 'Strict' | 'Lax'
  /** In seconds; 0 removes the cookie. */
  age: number
}

/** Sent over HTTPS only, if the console is. */
export function setCookie(
  reply: FastifyReply,
  { name, value, path, sameSite, age }: Cookie,
  { publicOrigin }: Pick<CookieOptions, 'publicOrigin'>,
): void {
  const secure = publicOrigin?.startsWith('https:') ? '; Secure' : ''
  void reply.header(
    'set-cookie',
    `${name}=${value}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=${sameSite}${secure}`,
  )
}

export const cookieOf = ({ headers: { cookie = '' } }: FastifyRequest, name: string): string | undefined =>
  cookie
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** What a session shows of the browser that signed in. */
export function browserOf(request: FastifyRequest): Browser {
  const { headers, ip } = request
  const secret = cookieOf(request, SESSION_COOKIE)
  const replaces = secret !== undefined && isSessionSecret(secret) ? hashSecret(secret) : undefined
  return { userAgent: shortAgent(headers['user-agent']), address: ip, replaces }
}
