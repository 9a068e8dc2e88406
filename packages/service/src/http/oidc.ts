import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client'
import { isLoopback } from '../domain/webhooks/address-ranges.ts'
import type { Claims } from '../operations/users/oidc.ts'
import type { OidcFlow } from '../store/users/oidc-flows.ts'

/** How this service is registered with an OpenID Connect provider. */
export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** What the button on the sign-in page says. */
  name: string
}

/** In seconds; the sign-in waits for it. */
const TIMEOUT = 5

const SCOPE = 'openid email profile'

/** A client of one provider. What the provider says about itself is read at the first sign-in and then kept. */
export class OidcClient {
  readonly name: string
  readonly #settings: OidcSettings
  #configuration: Promise<Configuration> | undefined

  constructor(settings: OidcSettings) {
    this.name = settings.name
    this.#settings = settings
  }

  /** Where the browser signs in, and what its callback is checked against. */
  async begin(redirectUri: string): Promise<{ url: URL; flow: OidcFlow }> {
    const configuration = await this.#discover()
    const flow = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    return { url, flow }
  }

  /** Exchanges the code of a callback. The library checks state, nonce, issuer, audience, times and signature. */
  async finish(callback: URL, { state, nonce, verifier }: OidcFlow): Promise<Claims> {
    const configuration = await this.#discover()
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const { iss, sub, ...claims } = tokens.claims()!
    // Some providers leave the address out of the token.
    const { email, email_verified: isVerified } =
      claims['email'] === undefined ? await fetchUserInfo(configuration, tokens.access_token, sub) : claims
    return {
      issuer: iss,
      subject: sub,
      email: typeof email === 'string' ? email : undefined,
      isEmailVerified: isVerified === true,
    }
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const server = new URL(issuer)
    const isLocal = server.protocol === 'http:' && isLoopbackHost(server.hostname)
    this.#configuration ??= discovery(server, clientId, clientSecret, undefined, {
      timeout: TIMEOUT,
      ...(isLocal && { execute: [allowInsecureRequests] }),
    }).catch((error: unknown) => {
      // Asked again at the next sign-in.
      this.#configuration = undefined
      throw error
    })
    return this.#configuration
  }
}

const isLoopbackHost = (host: string) => host === 'localhost' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'))
