import { createRequire } from 'node:module'

/** The version of the package, which is written in one place only. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
