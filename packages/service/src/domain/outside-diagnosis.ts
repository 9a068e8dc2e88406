import { ok, problem, warning, type Finding } from './diagnosis.ts'

/** What a mail server answered to a login without a mail. */
export type MailCheck = { isAccepted: true } | { isAccepted: false; isLogin: boolean; detail: string }

/** Undefined if no server is set; the host is named without credentials. */
export function diagnoseMail(
  server: { host: string; check: MailCheck } | undefined,
  { isProduction }: { isProduction: boolean },
): Finding {
  if (!server) {
    return isProduction
      ? warning('mail', 'No mail server is set: e-mails wait until there is one.', 'Set OTS_SMTP_URL.')
      : ok('mail', 'No mail server is set: this sandbox keeps e-mails in its mailbox.')
  }
  const { host, check } = server
  if (check.isAccepted) return ok('mail', `The mail server ${host} accepts connections from here.`)
  return check.isLogin
    ? problem(
        'mail',
        `The mail server ${host} refuses the login: ${check.detail}`,
        'Correct user and password in OTS_SMTP_URL; write reserved characters as %40 for @, %2F for /.',
      )
    : problem(
        'mail',
        `The mail server ${host} cannot be used: ${check.detail}`,
        'Check host and port in OTS_SMTP_URL, and that this machine may connect to them; smtps:// is for port 465.',
      )
}

const GB = 1_000_000_000

/** Free space below which a disk is nearly full, in bytes and as a part of the disk; whichever is less counts. */
const LOW = { bytes: 5 * GB, part: 0.1 }
const FULL = { bytes: GB, part: 0.02 }

export interface Disk {
  path: string
  freeBytes: number
  totalBytes: number
}

/** Undefined if the database is elsewhere. A database whose disk is full stops. */
export function diagnoseDisk(disk: Disk | undefined): Finding {
  if (!disk) return ok('disk', 'The database is not on a disk that this command can see: watch that one there.')
  const { path, freeBytes, totalBytes } = disk
  const free = `${(freeBytes / GB).toFixed(1)} GB of ${(totalBytes / GB).toFixed(0)} GB are free`
  const isBelow = ({ bytes, part }: typeof LOW) => freeBytes < Math.min(bytes, part * totalBytes)
  const advice = 'Free space, or move OTS_DATA_DIR to a larger disk: PostgreSQL stops when it cannot write.'
  if (isBelow(FULL)) return problem('disk', `The disk of ${path} is full: ${free}.`, advice)
  if (isBelow(LOW)) return warning('disk', `The disk of ${path} is nearly full: ${free}.`, advice)
  return ok('disk', `The disk of ${path} has space: ${free}.`)
}

/** The name by which the service answers at `/`. */
export const SERVICE_NAME = 'Order Testing Service'

/** What answered at the public address. */
export type AddressCheck = { isReached: true; name: string | undefined } | { isReached: false; detail: string }

export function diagnosePublicAddress(
  address: { url: string; check: AddressCheck } | undefined,
  { isProduction }: { isProduction: boolean },
): Finding {
  if (!address) {
    return isProduction
      ? warning('publicAddress', 'OTS_PUBLIC_URL is not set.', 'Set it to the address that browsers use.')
      : ok('publicAddress', 'No public address is set.')
  }
  const { url, check } = address
  if (!check.isReached)
    return warning(
      'publicAddress',
      `${url} does not answer from here: ${check.detail}`,
      'Start the service; then check DNS, certificate and proxy. Some networks do not reach their own public address.',
    )
  if (check.name === SERVICE_NAME) return ok('publicAddress', `${url} answers as this service.`)
  return problem(
    'publicAddress',
    `${url} is answered by ${check.name === undefined ? 'something else' : `"${check.name}"`}.`,
    'Correct OTS_PUBLIC_URL, or the proxy that answers there: links in e-mails lead to it.',
  )
}
