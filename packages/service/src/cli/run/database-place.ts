import { relative } from 'node:path'
import { EmbeddedRefusal, locateCluster, type EmbeddedServer } from '@order-testing/embedded-postgres'
import { printableAddress } from '../../store/db/address.ts'
import type { Config } from './settings.ts'

/** There is no embedded database yet, and the command may not create one. */
export class NoDatabase extends Error {
  constructor({ dataDir }: Config) {
    super(`No database in ${shortPath(dataDir)} yet: start the service with "ots serve", or set DATABASE_URL.`)
  }
}

/** The address without password, or where the embedded database lies; starts nothing. */
export async function describeDatabase({ databaseUrl, dataDir }: Config): Promise<string> {
  if (databaseUrl !== undefined) return printableAddress(databaseUrl)
  try {
    const found = await locateCluster(dataDir)
    if (found === null) return `embedded, not created yet in ${dataDir}`
    return found.isMissing ? `embedded, missing from ${found.cluster}` : `embedded, in ${found.cluster}`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof EmbeddedRefusal) return `embedded, ${message.split('\n')[0]}`
    return `embedded, in ${dataDir}, which cannot be read: ${code ?? message}`
  }
}

/** Where the running embedded database lies, for the banner. */
export function runningPlace(config: Config, embedded: EmbeddedServer | undefined): string {
  const folder = shortPath(config.dataDir)
  if (!embedded?.isOutside) return `in ${folder}`
  return `in ${embedded.cluster}\n              (the user that PostgreSQL runs as cannot enter ${folder}, which points there)`
}

/** Relative to the working directory if it lies below it. */
function shortPath(folder: string): string {
  const path = relative(process.cwd(), folder)
  return path === '' || path.startsWith('..') ? folder : `./${path}`
}
