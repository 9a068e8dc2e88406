import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type ConnectionOptions } from 'node:tls'
import { refuseAddress } from './address-refusal.ts'

/** How connections to the database are encrypted. */
export interface Encryption {
  ssl: ConnectionOptions | false
  /** Whether a connection without encryption is accepted, and whether it is tried first. */
  allowsPlain: boolean
  prefersPlain: boolean
}

export const PLAIN: Encryption = { ssl: false, allowsPlain: true, prefersPlain: true }

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * As in libpq: `allow` encrypts only if the server insists, `prefer` if it can, `require` always does, `verify-ca` also checks
 * the certificate authority, and `verify-full` the host name too. Unlike libpq, the default is `disable`, and the authorities
 * are those of Node.js unless `sslrootcert` names a file.
 */
export function parseEncryption(parameters: URLSearchParams): Encryption {
  const mode = parameters.get('sslmode') ?? (parameters.has('sslrootcert') ? 'verify-full' : 'disable')
  if (!MODES.includes(mode)) refuseAddress(`Unknown sslmode=${mode}. Use one of ${MODES.join(', ')}.`)
  if (mode === 'disable') return PLAIN
  const isSystem = parameters.get('sslrootcert') === 'system'
  if (isSystem && mode !== 'verify-full') refuseAddress(`sslrootcert=system requires sslmode=verify-full, not ${mode}.`)
  const ca = isSystem ? undefined : readParameterFile(parameters, 'sslrootcert')
  const verifies = mode.startsWith('verify') || (mode === 'require' && ca !== undefined)
  const ssl = {
    ...(ca && { ca }),
    ...readClientCertificate(parameters),
    rejectUnauthorized: verifies,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
  // TLS ignores what is not a certificate here.
  if (ca !== undefined) attempt(() => new X509Certificate(ca), 'sslrootcert is not a certificate in PEM format.')
  return { ssl, allowsPlain: mode === 'allow' || mode === 'prefer', prefersPlain: mode === 'allow' }
}

function readClientCertificate(parameters: URLSearchParams) {
  if (parameters.has('sslcert') !== parameters.has('sslkey'))
    refuseAddress('Set both sslcert and sslkey, or neither: a client certificate is of use only with its key.')
  const cert = readParameterFile(parameters, 'sslcert')
  const key = readParameterFile(parameters, 'sslkey')
  const passphrase = parameters.get('sslpassword') ?? undefined
  if (cert === undefined || key === undefined) return {}
  const use = (files: ConnectionOptions) => () => createSecureContext(files)
  attempt(use({ cert }), 'sslcert is not a certificate in PEM format.')
  attempt(
    use({ key, passphrase }),
    passphrase === undefined && key.includes('ENCRYPTED')
      ? 'sslkey is encrypted: set sslpassword.'
      : 'sslkey is not a key in PEM format, or sslpassword is wrong.',
  )
  attempt(
    use({ cert, key, passphrase }),
    'sslcert and sslkey do not belong together: sslkey must be the key of sslcert.',
  )
  return { cert, key, passphrase }
}

function readParameterFile(parameters: URLSearchParams, name: string): string | undefined {
  const path = parameters.get(name)
  if (path === null) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return refuseAddress(`${name}: There is no file ${path}.`)
    if (code === 'EACCES') return refuseAddress(`${name}: This user may not read ${path}.`)
    return refuseAddress(`${name}: ${path} cannot be read (${message}).`)
  }
}

/** Otherwise a wrong file would show only when the first connection is opened. */
function attempt(use: () => unknown, refusal: string): void {
  try {
    use()
  } catch {
    refuseAddress(refusal)
  }
}

interface Failed {
  code?: string | undefined
  message: string
}

/** Whether the other of an encrypted and a plain connection may succeed, if both are allowed. */
export const dependsOnEncryption = ({ code = '', message }: Failed = { message: '' }) =>
  isUnencryptedServer(message) || /^(28|ERR_SSL|ERR_TLS|EPROTO)/.test(code) || UNTRUSTED.has(code)

const isUnencryptedServer = (message: string) => message.includes('does not support SSL')

const UNTRUSTED = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** What to do about a connection that failed because of its encryption, in one sentence; undefined for other failures. */
export function explainEncryption({ code = '', message }: Failed, host: string): string | undefined {
  if (isUnencryptedServer(message))
    return `The server at ${host} offers no encryption: set ssl = on in its postgresql.conf, or choose another sslmode.`
  if (UNTRUSTED.has(code))
    return `The certificate of ${host} is signed by an unknown authority: set sslrootcert to the certificate of that authority.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of the server is not for the name ${host}: connect by a name that it is for, or have one issued for ${host}.`
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${host}, or of its authority, ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}: renew it, or correct the clock of this machine.`
  if (message.includes('requires a valid client certificate') || code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
    return `The server at ${host} requires a client certificate: set sslcert and sslkey.`
  if (/^ERR_SSL_.*ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_\w+|UNSUPPORTED_CERTIFICATE)$/.test(code))
    return `The server at ${host} does not accept the client certificate: set sslcert to one that is signed by an authority in the server's ssl_ca_file.`
  if (code.startsWith('28') && /no encryption|SSL off/.test(message))
    return `The server at ${host} accepts only encrypted connections from here: add sslmode=verify-full to DATABASE_URL.`
  return undefined
}
