import { EmbeddedRefusal } from '@order-testing/embedded-postgres'
import { Refusal } from '../domain/refusal.ts'
import { CatalogRefusal } from '../operations/catalog/files.ts'
import { isForgottenStatement, Unavailable } from '../store/db/errors.ts'
import { MigrationRefusal } from '../store/db/migration-files.ts'
import { RoleRefusal } from '../store/db/runtime-role.ts'
import { SealRefusal } from '../store/sealing/keyring.ts'
import { ApiRefusal } from './api.ts'
import type { Failure } from './output/print.ts'
import { NoDatabase } from './run/database-place.ts'
import { ConfigRefusal } from './run/settings.ts'

const REFUSALS = [ConfigRefusal, EmbeddedRefusal, MigrationRefusal, NoDatabase, RoleRefusal]

/** The message of a refusal is enough; any other error is shown with its stack trace. Problems are listed as the API does. */
export function explain(error: unknown): Failure {
  const { code, message, stack } = error as Error & { code?: string }
  if (error instanceof ApiRefusal) return { message, ...error.body }
  if (error instanceof Refusal) return { message, errors: error.problems.map((problem) => toEntry(problem)) }
  if (error instanceof CatalogRefusal) return { message, errors: error.problems.map((problem) => toEntry(problem)) }
  if (REFUSALS.some((kind) => error instanceof kind)) return { message }
  if (error instanceof SealRefusal) return { message: `${message} Check OTS_KEYS with "ots doctor".` }
  if (isForgottenStatement(error) && code !== '0A000')
    return {
      message: `The database, or the pooler in front of it, does not keep prepared statements (${message}). Set OTS_DATABASE_PREPARE=auto, or let the pooler keep them: PgBouncer from 1.21 with max_prepared_statements.`,
    }
  if (error instanceof Unavailable) return { message: `Cannot reach the database: ${message || code}` }
  return { message: stack ?? String(error) }
}

/** A problem as an entry of an error body; `source` is the file at fault. */
const toEntry = ({ code, detail, pointer, meta, source }: Refusal['problems'][number] & { source?: string }) => ({
  code,
  detail,
  ...(meta && { meta }),
  ...((source ?? pointer) !== undefined && { source: { ...(source !== undefined && { file: source }), pointer } }),
})
