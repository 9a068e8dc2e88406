/** The result of one check, with advice unless it is ok. */
export interface Finding {
  level: 'ok' | 'warning' | 'problem'
  check: string
  detail: string
  advice?: string
}

/** Facts about the server and the current role. */
export interface DatabaseFacts {
  /** As `server_version_num`: 150004 for 15.4. */
  versionNumber: number
  version: string
  encoding: string
  missingExtensions: string[]
  role: string
  isSuperuser: boolean
  isOwner: boolean
  hasRoleSettings: boolean
  /** Tables on which the role lacks privileges the service needs, and tables of the audit log that it may rewrite. */
  missingRights: string[]
  rewritable: string[]
  /** Settings with which committed data may be lost. */
  unsafeSettings: string[]
  /** The connection leaves this machine unencrypted. */
  isExposed: boolean
}

/** How far a read replica is behind, or why it cannot be used. */
export type ReplicaFacts = { lagSeconds: number } | { failure: string }

const MIN_VERSION = 150_000

/** Clock differences in seconds, beyond the uncertainty of the measurement. */
const SKEW_WARNING = 2
const SKEW_PROBLEM = 60

/** Seconds that an audit entry may wait for its link. */
const LINKING_WARNING = 10
const LINKING_PROBLEM = 3_600

const finding = (level: Finding['level']) => (check: string, detail: string, advice: string) => ({
  level,
  check,
  detail,
  advice,
})

export const ok = (check: string, detail: string): Finding => ({ level: 'ok', check, detail })
export const warning = finding('warning')
export const problem = finding('problem')

export function diagnoseReplica(facts: ReplicaFacts, mostLag: number): Finding {
  const whatHappens = 'Until then, lists are read from the primary.'
  if ('failure' in facts)
    return problem(
      'replica',
      `The server of OTS_DATABASE_READ_URL cannot be used: ${facts.failure}`,
      `Name a streaming standby of the database that runs and accepts connections. ${whatHappens}`,
    )
  const { lagSeconds } = facts
  return lagSeconds > mostLag
    ? warning(
        'replica',
        'The server of OTS_DATABASE_READ_URL is too far behind the primary.',
        `See pg_stat_wal_receiver on the standby and pg_stat_replication on the primary. ${whatHappens}`,
      )
    : ok('replica', 'The server of OTS_DATABASE_READ_URL follows the primary.')
}

export function diagnoseServer({ versionNumber, version, ...facts }: DatabaseFacts): Finding[] {
  const extensions = facts.missingExtensions.join(', ')
  const contrib = "Install PostgreSQL's contrib modules (package postgresql-contrib)."
  const settings = facts.unsafeSettings.join(', ')
  const exposed = 'The connection to the database leaves this machine unencrypted.'
  return [
    versionNumber < MIN_VERSION
      ? problem('version', `PostgreSQL ${version} is too old.`, 'Use PostgreSQL 15 or newer.')
      : ok('version', `PostgreSQL ${version}.`),
    ...(facts.encoding === 'UTF8' ? [] : [diagnoseEncoding(facts.encoding)]),
    extensions
      ? problem('extensions', `The server lacks ${extensions}.`, contrib)
      : ok('extensions', 'All extensions are available.'),
    settings
      ? problem('durability', `The server may lose committed data: ${settings}.`, 'Set these to on in postgresql.conf.')
      : ok('durability', 'Committed data survives a crash.'),
    facts.isExposed
      ? warning('encryption', exposed, 'Add sslmode=verify-full to DATABASE_URL.')
      : ok('encryption', 'The connection to the database is encrypted or local.'),
  ]
}

const diagnoseEncoding = (encoding: string) =>
  problem(
    'encoding',
    `The database has the encoding ${encoding}.`,
    "Create another one: create database … encoding 'UTF8' template template0;",
  )

export function diagnoseRole(facts: DatabaseFacts): Finding[] {
  const { role, isSuperuser, isOwner, hasRoleSettings, missingRights, rewritable } = facts
  const lacking = `The role "${role}" lacks its timeouts in this database.`
  const settings = hasRoleSettings
    ? ok('roleSettings', `The role "${role}" has its timeouts.`)
    : warning('roleSettings', lacking, 'Start the service once with this role: it sets them.')
  if (isOwner || isSuperuser) {
    const what = isSuperuser ? 'is a superuser' : 'owns the schema'
    return [
      settings,
      warning(
        'role',
        `The role "${role}" ${what}: an attacker who controls the service can rewrite the audit log and drop tables.`,
        'Create a role without privileges, run "ots migrate --runtime-role NAME", and start the service with that role.',
      ),
    ]
  }
  const migrate = `Run "ots migrate --runtime-role ${role}" with the DATABASE_URL of the role that owns the schema.`
  if (missingRights.length > 0)
    return [settings, problem('role', `The role "${role}" lacks privileges on ${missingRights.join(', ')}.`, migrate)]
  if (rewritable.length > 0)
    return [settings, problem('role', `The role "${role}" may rewrite ${rewritable.join(', ')}.`, migrate)]
  return [settings, ok('role', `The role "${role}" owns nothing and can only add to the audit log.`)]
}

export function diagnoseMigrations(pending: readonly string[]): Finding {
  return pending.length > 0
    ? problem('migrations', `The schema lacks ${pending.join(', ')}.`, 'Run "ots migrate" as the owner of the schema.')
    : ok('migrations', 'The schema is up to date.')
}

/** In seconds: how far the database's clock is ahead, and the uncertainty of the measurement. */
export function diagnoseClock(skew: number, uncertainty: number): Finding {
  const apart = Math.abs(skew) - uncertainty
  const detail = `The clock of the database is ${Math.abs(skew).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} this machine's.`
  const advice = 'Synchronize both with NTP.'
  if (apart > SKEW_PROBLEM) return problem('clock', detail, advice)
  if (apart > SKEW_WARNING) return warning('clock', detail, advice)
  return ok('clock', "The clock of the database agrees with this machine's.")
}

/** Takes the faults found per tenant; undefined if the log is too long to be verified here. */
export function diagnoseAudit(checked: readonly { tenantId: string; faultCount: number }[] | undefined): Finding {
  if (!checked)
    return warning(
      'audit',
      'The audit log is too long to verify here.',
      'Run "ots audit verify", or "ots doctor --deep".',
    )
  if (checked.length === 0)
    return warning(
      'audit',
      'The audit log has no entries: nothing was ever done in this database.',
      'If it should have content, check DATABASE_URL or OTS_DATA_DIR.',
    )
  const damaged = checked.filter(({ faultCount }) => faultCount > 0)
  if (damaged.length === 0) return ok('audit', 'The audit log is intact.')
  const named = damaged.map(({ tenantId, faultCount }) => `${faultCount} of tenant "${tenantId}"`)
  return problem('audit', `The audit log has faults: ${named.join(', ')}.`, 'Run "ots audit verify" to see them.')
}

export function diagnoseChain(delay: number): Finding {
  const detail = `Audit entries have been waiting ${Math.round(delay)} s to be linked.`
  const advice = 'Start the service: it links them within a second. If it runs, look for "Failed to link" in its log.'
  if (delay > LINKING_PROBLEM) return problem('auditChain', detail, advice)
  if (delay > LINKING_WARNING) return warning('auditChain', detail, advice)
  return ok('auditChain', 'All audit entries are linked.')
}

/** `plain` counts the audit entries whose details an earlier release left in plain text. */
export function diagnoseDetails(plain: number, isOwner: boolean): Finding {
  if (plain === 0) return ok('auditDetails', 'The details of all audit entries are sealed.')
  const advice = isOwner
    ? 'Start the service: it seals them in the background.'
    : 'Run "ots keys rotate" as the owner of the schema, with the keys of the service.'
  return warning('auditDetails', 'Details of audit entries from an earlier release are not sealed.', advice)
}

export function diagnoseKeys(wrong: readonly string[]): Finding {
  return wrong.length > 0
    ? problem(
        'keys',
        `The database holds values sealed with keys that are missing or have another secret now: ${wrong.join(', ')}.`,
        'Add them to OTS_KEYS after the current key.',
      )
    : ok('keys', 'The keys open everything in the database.')
}

/** Ruling 55: in production, background checks are refused without the tenant's own texts. */
export function diagnoseBackgroundTexts(tenantIds: readonly string[], isProduction: boolean): Finding {
  const check = 'backgroundTexts'
  if (tenantIds.length === 0) return ok(check, 'Every tenant with background checks has texts of its own for them.')
  const named = `Background checks without texts of the tenant's own: ${tenantIds.join(', ')}.`
  if (!isProduction) return ok(check, `${named} A sandbox shows placeholders.`)
  const refused = `${named} Orders of these packages are refused with backgroundCheckIntegrationNotConfigured.`
  const advice =
    'Add backgroundDisclosure and backgroundAuthorization to "tenant.texts" of the catalog file, and apply it.'
  return problem(check, refused, advice)
}

/** Takes the tokens that accept a public secret of the demo catalog. */
export function diagnoseSecrets(
  tokens: readonly { tenantId: string; tokenId: string }[],
  isProduction: boolean,
): Finding {
  if (tokens.length === 0) return ok('publicSecrets', 'No token has a public secret.')
  const named = tokens.map(({ tokenId }) => tokenId).join(', ')
  if (!isProduction) return ok('publicSecrets', `Tokens with public secrets (${named}) are fine in a sandbox.`)
  const commands = tokens.map(({ tenantId, tokenId }) => `ots token revoke ${tokenId} --tenant ${tenantId}`)
  return problem('publicSecrets', `Tokens have secrets of the demo catalog: ${named}.`, `Run ${commands.join('; ')}.`)
}
