import type { Keyring } from '../sealing/keyring.ts'

/** What a callback of the provider is checked against. */
export interface OidcFlow {
  state: string
  nonce: string
  verifier: string
}

/** Sign-ins at the provider that are under way. They are not stored: the browser that began one keeps it sealed. */
export const oidcFlows = (keyring: Keyring) => ({
  seal: (flow: OidcFlow): string => keyring.seal(JSON.stringify(flow), CONTEXT).toString('base64url'),

  /** Undefined for anything that was not sealed here. */
  open(sealed: string): OidcFlow | undefined {
    // Decoding would silently skip other characters.
    if (!/^[\w-]+$/.test(sealed)) return undefined
    try {
      return JSON.parse(keyring.open(Buffer.from(sealed, 'base64url'), CONTEXT)) as OidcFlow
    } catch {
      return undefined
    }
  },
})

const CONTEXT = 'oidc flow'
