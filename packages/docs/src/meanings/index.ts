import type { Page } from '../page.ts'
import { deliveriesPage } from './deliveries.ts'
import { errorsPage } from './errors.ts'
import { limitsPage } from './limits.ts'
import { matchingPage } from './matching.ts'
import { signaturesPage } from './signatures.ts'
import { statusesPage } from './statuses.ts'

export { signatureVectors } from './signature-vectors.ts'

/** The reference of meanings: what codes, statuses, scores, schedules, signatures and limits mean. */
export const meaningPages = (): Page[] => [
  errorsPage(),
  statusesPage(),
  matchingPage(),
  deliveriesPage(),
  signaturesPage(),
  limitsPage(),
]
