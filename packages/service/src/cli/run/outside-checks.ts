import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Finding } from '../../domain/diagnosis.ts'
import {
  diagnoseDisk,
  diagnoseMail,
  diagnosePublicAddress,
  type AddressCheck,
  type Disk,
} from '../../domain/outside-diagnosis.ts'
import { verifySmtp } from '../../notify/transports.ts'
import type { Config } from './settings.ts'

/** Long enough for a slow server, short enough for a person who waits. */
const WITHIN_MS = 5_000

/** The longest answer of a start page that is read. */
const MAX_ANSWER = 64 * 1024

/** Checks what the service needs besides its database. */
export function examineOutside(config: Config): Promise<Finding[]> {
  const { smtpUrl, publicUrl } = config
  const circumstances = { isProduction: config.mode === 'production' }
  const mail = async () =>
    smtpUrl === undefined
      ? undefined
      : { host: new URL(smtpUrl).host, check: await verifySmtp(smtpUrl, { timeoutMs: WITHIN_MS }) }
  const address = async () =>
    publicUrl === undefined ? undefined : { url: publicUrl, check: await askForName(publicUrl) }
  return Promise.all([
    mail().then((server) => diagnoseMail(server, circumstances)),
    readDisk(config).then((disk) => diagnoseDisk(disk)),
    address().then((found) => diagnosePublicAddress(found, circumstances)),
  ])
}

/** The disk of the embedded database; before its first start, that of the nearest folder above. */
async function readDisk({ databaseUrl, dataDir }: Config): Promise<Disk | undefined> {
  if (databaseUrl !== undefined) return undefined
  for (let path = dataDir; ; path = dirname(path)) {
    try {
      const { bavail, blocks, bsize } = await statfs(path)
      return { path: dataDir, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    } catch {
      if (path === dirname(path)) return undefined
    }
  }
}

async function askForName(url: string): Promise<AddressCheck> {
  try {
    const response = await fetch(new URL('/', url), {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
    })
    const text = (await response.text()).slice(0, MAX_ANSWER)
    return { isReached: true, name: nameIn(text) }
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    return { isReached: false, detail: `${cause?.message || message}.` }
  }
}

function nameIn(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown }
    return typeof name === 'string' ? name.slice(0, 100) : undefined
  } catch {
    return undefined
  }
}
