import { relative } from 'node:path'
import { EmbeddedRefusal, locateCluster, type EmbeddedServer } from '@order-testing/embedded-postgres'
import type { Config } from './settings.ts'

/** Where the embedded database lies, as far as that can be told without starting it. */
export async function databasePlace({ databaseUrl, dataDir }: Config): Promise<string | undefined> {
  if (databaseUrl !== undefined) return undefined
  try {
    const found = await locateCluster(dataDir)
    if (found === null) return 'not created yet'
    return found.isMissing ? `missing, should be in ${found.cluster}` : `in ${found.cluster}`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof EmbeddedRefusal) return message.split('\n')[0]
    return `in ${dataDir}, which cannot be read: ${code ?? message}`
  }
}

/** The same once it runs, for the banner. */
export function runningPlace({ dataDir }: Config, embedded: EmbeddedServer | undefined): string {
  const path = relative(process.cwd(), dataDir)
  const folder = path === '' || path.startsWith('..') ? dataDir : `./${path}`
  if (!embedded?.isOutside) return `in ${folder}`
  return `in ${embedded.cluster}\n              (the user that PostgreSQL runs as cannot enter ${folder}, which points there)`
}
