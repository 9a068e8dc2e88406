import { apiPages } from './api/index.ts'
import { meaningPages, signatureVectors } from './meanings/index.ts'
import type { Page } from './page.ts'

/** All pages that are composed from code. */
export const composePages = (): Page[] => [...meaningPages(), ...apiPages()]

/** Files that are served beside the pages, by path. */
export const composeFiles = (): Record<string, string> => ({
  'reference/signature-vectors.json': `${JSON.stringify(signatureVectors(), null, 2)}\n`,
})
