import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const CLIENT = { clientId: 'console', clientSecret: 'a secret of the console for tests alone' }

interface Account {
  email: string
  email_verified: boolean
}

/** A real OpenID Connect provider, that signs everybody in as `current`. */
export async function startProvider() {
  const accounts = new Map<string, Account>()
  const state = { current: '' }
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    if (!provider) response.writeHead(503).end()
    else if (request.url?.startsWith('/interaction/')) void interact(provider, state.current, request, response)
    else void provider.callback()(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    /** Begins to answer, once it is known where people come back to. */
    open(redirectUri: string) {
      provider = new Provider(issuer, {
        clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({ sub: id, ...accounts.get(id) }),
        }),
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        features: { devInteractions: { enabled: false } },
        cookies: { keys: ['a key for tests alone'] },
      })
    },
    /** Signs in as this subject from now on. */
    signInAs(subject: string, account: Account) {
      accounts.set(subject, account)
      state.current = subject
    },
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

/** Answers the questions of the provider, as a person would on its pages. */
async function interact(provider: Provider, accountId: string, request: IncomingMessage, response: ServerResponse) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId } })
  const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) })
  grant.addOIDCScope('openid email profile')
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}

/** A browser that keeps cookies by host and follows redirects until told to stop. */
export class Visitor {
  static #visitors = 0
  /** Attempts are limited by address. */
  readonly #address = `203.0.113.${(Visitor.#visitors += 1)}`
  readonly #cookies = new Map<string, Map<string, string>>()

  cookie(host: string, name: string): string | undefined {
    return this.#cookies.get(host)?.get(name)
  }

  /** Follows redirects while `goesOn` says so; returns the last answer and where it would lead. */
  async visit(
    url: string,
    goesOn: (next: URL) => boolean = () => true,
  ): Promise<{ status: number; url: URL; next: URL | null }> {
    let at = new URL(url)
    for (;;) {
      const jar = this.#cookies.get(at.hostname) ?? new Map<string, string>()
      this.#cookies.set(at.hostname, jar)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(at, { redirect: 'manual', headers: { cookie, 'x-forwarded-for': this.#address } })
      for (const set of response.headers.getSetCookie()) keep(jar, set)
      await response.arrayBuffer()
      const location = response.headers.get('location')
      const next = location === null ? null : new URL(location, at)
      if (!next || !goesOn(next)) return { status: response.status, url: at, next }
      at = next
    }
  }
}

function keep(jar: Map<string, string>, set: string): void {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? []
  const expires = /expires=([^;]+)/i.exec(set)?.[1]
  const isGone = /max-age=0\b/i.test(set) || (expires !== undefined && Date.parse(expires) <= Date.now())
  if (isGone) jar.delete(name!)
  else jar.set(name!, value!)
}
