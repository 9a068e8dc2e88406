import { EmbeddedRefusal } from '@order-testing/embedded-postgres'
import { Refusal } from '../domain/refusal.ts'
import { CatalogRefusal } from '../operations/catalog/files.ts'
import { Unavailable } from '../store/db/errors.ts'
import { MigrationRefusal } from '../store/db/migrate.ts'
import { RoleRefusal } from '../store/db/runtime-role.ts'
import { SealRefusal } from '../store/sealing/keyring.ts'
import { ApiRefusal } from './api.ts'
import { NoDatabase } from './run/database-place.ts'
import { ConfigRefusal } from './run/settings.ts'

const REFUSALS = [
  Refusal,
  ApiRefusal,
  CatalogRefusal,
  ConfigRefusal,
  EmbeddedRefusal,
  MigrationRefusal,
  NoDatabase,
  RoleRefusal,
]

/** The message of a refusal is enough; any other error is shown with its stack trace. */
export function explain(error: unknown): string {
  if (REFUSALS.some((kind) => error instanceof kind)) return (error as Error).message
  const { code, message, stack } = error as Error & { code?: string }
  if (error instanceof SealRefusal) return `${message} Check OTS_KEYS with "ots doctor".`
  if (error instanceof Unavailable) return `Cannot reach the database: ${message || code}`
  return stack ?? String(error)
}
