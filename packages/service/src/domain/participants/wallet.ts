import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { refuse } from '../refusal.ts'

export const WALLETS = ['apple', 'google'] as const
export type WalletKind = (typeof WALLETS)[number]

/** What Apple Wallet passes are signed with. All in PEM. */
export interface AppleWallet {
  passTypeIdentifier: string
  teamIdentifier: string
  certificate: string
  key: string
  /** Apple's intermediate certificate (WWDR). */
  issuer: string
}

/** The service account that signs the save links of Google Wallet. */
export interface GoogleWallet {
  issuerId: string
  clientEmail: string
  key: string
}

export interface WalletSettings {
  apple: AppleWallet
  google: GoogleWallet
}

/** What may be shown of the settings: nothing secret. */
export interface WalletSummary {
  kind: WalletKind
  identifier: string
  /** When the certificate expires; null if there is none. */
  expiresAt: Date | null
}

interface AppleFiles {
  certificate: string
  key: string
  issuer: string
  passphrase?: string | undefined
}

/** Checks that the files belong together, and reads the identifiers from the certificate. */
export function readAppleWallet({ certificate, key, issuer, passphrase }: AppleFiles, now: Date): AppleWallet {
  const parsed = parse(() => new X509Certificate(certificate), 'The certificate is not a PEM file.')
  parse(() => new X509Certificate(issuer), 'The issuer certificate (WWDR) is not a PEM file.')
  const secret = openKey(key, passphrase)
  if (!parsed.checkPrivateKey(secret)) throw refuse('invalidValue', 'The key does not belong to the certificate.')
  if (new Date(parsed.validTo) <= now) throw refuse('invalidValue', `The certificate expired on ${parsed.validTo}.`)
  const passTypeIdentifier = subjectOf(parsed, 'UID')
  const teamIdentifier = subjectOf(parsed, 'OU')
  if (!passTypeIdentifier?.startsWith('pass.') || teamIdentifier === undefined)
    throw refuse('invalidValue', 'The certificate is not a Pass Type ID certificate of Apple.')
  return { passTypeIdentifier, teamIdentifier, certificate, key: toPem(secret), issuer }
}

/** Reads the key file of a Google service account. */
export function readGoogleWallet(issuerId: string, serviceAccount: string): GoogleWallet {
  if (!/^\d{5,25}$/.test(issuerId)) throw refuse('invalidValue', 'Expected the numeric issuer id of Google Wallet.')
  const file = parse(() => JSON.parse(serviceAccount) as unknown, 'The service account is not a JSON file.')
  const { client_email: clientEmail, private_key: key } = file as Record<string, unknown>
  if (typeof clientEmail !== 'string' || typeof key !== 'string')
    throw refuse('invalidValue', 'The service account has no client_email or private_key.')
  return { issuerId, clientEmail, key: toPem(openKey(key)) }
}

export function describeWallet<Kind extends WalletKind>(kind: Kind, settings: WalletSettings[Kind]): WalletSummary {
  if (!('certificate' in settings)) return { kind, identifier: settings.issuerId, expiresAt: null }
  const { validTo } = new X509Certificate(settings.certificate)
  return { kind, identifier: settings.passTypeIdentifier, expiresAt: new Date(validTo) }
}

const subjectOf = ({ subject }: X509Certificate, name: string) =>
  subject
    .split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** Both wallets sign with RSA. */
function openKey(key: string, passphrase?: string): KeyObject {
  const opened = parse(
    () => createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) }),
    'The key cannot be opened: it is not a PEM file, or the passphrase is wrong.',
  )
  if (opened.asymmetricKeyType !== 'rsa') throw refuse('invalidValue', 'Expected an RSA key.')
  return opened
}

const toPem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

function parse<T>(read: () => T, problem: string): T {
  try {
    return read()
  } catch {
    throw refuse('invalidFormat', problem)
  }
}
