import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_API } from '@order-testing/contract/operator'
import { Refusal } from '../../domain/refusal.ts'
import { CHALLENGE_MS } from '../../domain/users/users.ts'
import type { ConsoleContext } from '../../operations/users/sessions.ts'
import { beginOidc, signInWithClaims, takeOidcState, type Claims } from '../../operations/users/oidc.ts'
import { redactError } from '../errors.ts'
import type { OidcClient } from '../oidc.ts'
import { browserOf, cookieOf, keepSession, setCookie, type CookieOptions } from '../session-cookies.ts'

const PATH = `${CONSOLE_API}/session/oidc`
const FLOW_COOKIE = 'ots_oidc'

/** A sign-in asks the provider up to four times. */
const TAKES_UP_TO_MS = 30_000

interface OidcRoutes extends ConsoleContext, CookieOptions {
  oidc: OidcClient
  origin: () => string | undefined
  /** Refuses more requests than a person makes. */
  limited: (request: FastifyRequest) => void | Promise<void>
}

/** Sign-in with an OpenID Connect provider, by redirects. Failures lead back to the console, which names them. */
export function addOidcRoutes(app: FastifyInstance, options: OidcRoutes): void {
  const { oidc, store, origin, limited } = options
  const keepFlow = (reply: FastifyReply, value: string) =>
    // Lax, because the provider redirects the browser here.
    setCookie(
      reply,
      { name: FLOW_COOKIE, value, path: PATH, sameSite: 'Lax', age: value === '' ? 0 : CHALLENGE_MS / 1000 },
      options,
    )

  const route = {
    onRequest: async (request: FastifyRequest) => limited(request),
    config: { takesUpToMs: TAKES_UP_TO_MS },
  }
  app.get(PATH, route, async (request, reply) => {
    try {
      const { url, flow } = await oidc.begin(`${origin()}${PATH}/callback`)
      await beginOidc(flow.state, options)
      keepFlow(reply, store.oidcFlows.seal(flow))
      return await reply.redirect(url.href, 303)
    } catch (error) {
      return fail(request, reply, { reason: 'unavailable', error })
    }
  })

  app.get(`${PATH}/callback`, route, async (request, reply) => {
    const sealed = cookieOf(request, FLOW_COOKIE)
    keepFlow(reply, '')
    const flow = sealed === undefined ? undefined : store.oidcFlows.open(sealed)
    // Only the browser that began a sign-in can finish it, and only once.
    if (!flow || !(await takeOidcState(flow.state, options))) return fail(request, reply, { reason: 'failed' })
    let claims: Claims
    try {
      claims = await oidc.finish(new URL(`${origin()}${request.url}`), flow)
    } catch (error) {
      return fail(request, reply, { reason: 'failed', error })
    }
    try {
      const { secret } = await signInWithClaims(claims, browserOf(request), options)
      keepSession(reply, secret, options)
      return await reply.redirect('/console', 303)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return fail(request, reply, { reason: 'notInvited' })
    }
  })
}

/** The query parameter tells the sign-in page what to say; the log has the cause, without what was sent. */
function fail(
  { id, log }: FastifyRequest,
  reply: FastifyReply,
  { reason, error }: { reason: 'failed' | 'unavailable' | 'notInvited'; error?: unknown },
): FastifyReply {
  const cause = error instanceof Error ? { err: redactError(error as FastifyError) } : {}
  log.warn({ reqId: id, reason, ...cause }, 'Sign-in with OpenID Connect failed')
  return reply.redirect(`/console?signInError=${reason}`, 303)
}
