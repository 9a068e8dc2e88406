import { createRequire } from 'node:module'

/** Of the package, so that it is told in one place only. */
export const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
