import { recordAsLocal } from '../../src/operations/audit/audit.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'

/** Records what tests do as local commands would. */
export const record = recordAsLocal(
  { osUser: 'tester', host: 'here' },
  { now: () => new Date(), random: new PooledRandom() },
)
