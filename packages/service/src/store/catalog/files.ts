import type { CatalogFile } from '@order-testing/contract'
import { ENTRY_KINDS, type CatalogEntries, type EntryKind } from '../../domain/catalog/files.ts'
import { fold } from '../../domain/text.ts'
import type { Db } from '../db/db.ts'
import { identifiers, sql, type Statement } from '../db/sql.ts'
import { saveClinics } from './clinic-rows.ts'

/** Rows per statement. */
const BATCH = 2_000

type Entry<K extends EntryKind> = CatalogEntries[K][number]

export interface SecretOwner {
  tenantId: string
  id: string
  hash: string
  /** Whether the token is managed by a catalog file and not revoked. */
  fromFile: boolean
}

/** Loads and saves catalogs as operators' files define them. */
export const catalog = (db: Db) => ({
  /** Serializes changes of catalogs and tokens until the transaction ends. */
  async lock(): Promise<void> {
    await db`select pg_advisory_xact_lock(hashtext('order-testing-catalog'))`
  },

  tenants: () => db.values<CatalogFile['tenant']>`
    select jsonb_build_object('id', id, 'name', name) || record from tenants order by id`,

  async saveTenant({ id, name, ...record }: CatalogFile['tenant']): Promise<void> {
    await db`
      insert into tenants (id, name, record) values (${id}, ${name}, ${JSON.stringify(record)}::text::jsonb)
      on conflict (id) do update set name = excluded.name, record = excluded.record
      where (tenants.name, tenants.record) <> (excluded.name, excluded.record)`
  },

  /** Loads the entries of the last applied file. */
  async load(tenantId: string): Promise<CatalogEntries> {
    const lists = await Promise.all(ENTRY_KINDS.map((kind) => db.values<unknown>`${selectEntries(kind, tenantId)}`))
    return Object.fromEntries(ENTRY_KINDS.map((kind, i) => [kind, lists[i]])) as unknown as CatalogEntries
  },

  /**
   * `onSaved` gets the number of rows of each batch. The next batch is prepared while the database saves one. The transaction must
   * hold the lock of `lock`, so that no other adds the same clinics.
   */
  async save<K extends EntryKind>(
    tenantId: string,
    kind: K,
    entries: Entry<K>[],
    onSaved?: (count: number) => void,
  ): Promise<void> {
    const known = kind === 'clinics' && entries.length >= BATCH ? await readClinicIds(db, tenantId) : undefined
    const isNew = ({ id }: { id: string }) => known !== undefined && !known.has(id)
    const batches = [
      ...batchesOf(entries.filter((entry) => isNew(entry))),
      ...batchesOf(entries.filter((entry) => !isNew(entry))),
    ]
    let saving = Promise.resolve()
    for (const batch of batches) {
      const statement = saveBatch(tenantId, kind, batch, { isNew: isNew(batch[0]!) })
      await saving
      saving = db`${statement}`.then(() => onSaved?.(batch.length))
    }
    await saving
  },

  async deactivate(tenantId: string, kind: EntryKind, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await db`${
      kind === 'tokens'
        ? // Frees the secret for another token, unless this one was revoked.
          sql`update tokens set is_active = false, secret_hash = case when revoked_at is not null then secret_hash end
           where tenant_id = ${tenantId} and id = any(${ids})`
        : sql`update ${identifiers(kind)} set is_active = false, removed_at = now() where tenant_id = ${tenantId} and id = any(${ids})`
    }`
  },

  /** Updates the vocabulary for misspelled searches to the words of the clinics. */
  async refreshWords(tenantId: string): Promise<void> {
    await db`
      with used as (select distinct unnest(words) as word from clinics where tenant_id = ${tenantId} and removed_at is null),
      gone as (
        delete from clinic_words w
        where tenant_id = ${tenantId} and not exists (select from used where used.word = w.word))
      insert into clinic_words (tenant_id, word, remnants)
      select ${tenantId}, word, case when word ~ '[0-9]' then '{}' else
        word || array(select overlay(word placing '' from i for 1) from generate_series(1, char_length(word)) i) end
      from used where not exists (select from clinic_words w where w.tenant_id = ${tenantId} and w.word = used.word)`
  },

  /** Clears secrets before new ones are saved, so that tokens can swap them. A revoked token keeps its secret blocked. */
  async clearSecrets(tenantId: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return
    await db`update tokens set secret_hash = null
      where tenant_id = ${tenantId} and id = any(${ids}) and origin = 'catalog' and revoked_at is null`
  },

  /** Finds the tokens that have these secrets. */
  findSecretOwners: (hashes: string[]) => db<SecretOwner[]>`
    select tenant_id, id, encode(secret_hash, 'hex') as hash, origin = 'catalog' and revoked_at is null as from_file from tokens
    where secret_hash in (select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash)`,

  issuedTokens: (tenantIds: string[]) => db<{ tenantId: string; id: string }[]>`
    select tenant_id, id from tokens where tenant_id = any(${tenantIds}) and origin = 'issued'`,

  revokedTokens: (tenantIds: string[]) => db<{ tenantId: string; id: string }[]>`
    select tenant_id, id from tokens where tenant_id = any(${tenantIds}) and revoked_at is not null`,

  activeCompanyIds: (tenantId: string) => db<{ id: string }[]>`
    select id from companies where tenant_id = ${tenantId} and is_active order by id`,

  /** Must be the last write of a transaction: all tenants share the row, so its lock should be short. */
  async bumpVersion(): Promise<void> {
    await db`update catalog_version set version = version + 1`
  },

  async version(): Promise<string> {
    const { version } = await db.only<{ version: string }>`select version from catalog_version`
    return version
  },

  /** Whether these files were the last ones of a start, and nothing has changed since. */
  async isAsInFiles(digest: Buffer): Promise<boolean> {
    const { is } = await db.only<{ is: boolean }>`
      select files_digest = ${digest} and files_version = version is true as is from catalog_version`
    return is
  },

  /** Remembers that the catalog is now as in these files. Locks the version until the end of the transaction. */
  async rememberFiles(digest: Buffer): Promise<void> {
    await db`update catalog_version set files_digest = ${digest}, files_version = version`
  },

  async isEmpty(): Promise<boolean> {
    const { empty } = await db.only<{ empty: boolean }>`select not exists (select from tenants) as empty`
    return empty
  },
})

const batchesOf = <T>(entries: T[]): T[][] =>
  Array.from({ length: Math.ceil(entries.length / BATCH) }, (_, i) => entries.slice(i * BATCH, (i + 1) * BATCH))

/** All clinics of a tenant, removed ones too. The others are inserted without looking for a conflict, which takes a fifth less. */
const readClinicIds = async (db: Db, tenantId: string): Promise<Set<string>> =>
  new Set(await db.values`select id from clinics where tenant_id = ${tenantId}`)

/** The entries of the last applied file. */
function selectEntries(kind: EntryKind, tenantId: string): Statement {
  if (kind === 'tokens')
    return sql`
      select jsonb_strip_nulls(jsonb_build_object(
        'id', id, 'name', name, 'scopes', scopes, 'companies', company_ids, 'secretHash', encode(secret_hash, 'hex'),
        'expiresAt', to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'rateLimit', rate_limit,
        'senders', senders)) as record
      from tokens where tenant_id = ${tenantId} and origin = 'catalog' and is_active order by id`
  const records = kind === 'clinics' ? sql`clinics join clinic_records using (tenant_id, id)` : identifiers(kind)
  const ofFile = kind === 'laboratoryCodes' ? sql`and origin = 'catalog'` : sql``
  return sql`select record from ${records} where tenant_id = ${tenantId} and removed_at is null ${ofFile} order by id`
}

/** The columns of a row: the entry as `record`, and the members that queries use. All rows of a kind have the same columns. */
const ROWS = {
  services: (record: Entry<'services'>) => ({
    ...named(record),
    category: record.category,
    type: record.type,
    is_dot: record.isDot,
    is_active: true,
  }),
  packages: (record: Entry<'packages'>) => ({
    ...named(record),
    service_ids: record.services,
    is_active: record.isActive,
  }),
  companies: (record: Entry<'companies'>) => ({
    ...contact(record),
    package_ids: record.packages,
    settings: record.settings ?? {},
  }),
  locations: (record: Entry<'locations'>) => ({
    ...contact(record),
    company_id: record.companyId,
    package_ids: record.packages ?? [],
    settings: record.settings ?? {},
  }),
  tokens: ({ id, name, scopes, companies, secretHash, expiresAt, rateLimit, senders }: Entry<'tokens'>) => ({
    id,
    name,
    scopes,
    company_ids: companies,
    secret_hash: secretHash ?? null,
    expires_at: expiresAt ?? null,
    rate_limit: rateLimit ?? null,
    senders: senders ?? null,
  }),
  laboratoryCodes: (record: Entry<'laboratoryCodes'>) => ({
    id: record.id,
    record,
    lab: record.lab,
    code: record.code,
    service_id: record.service,
    is_active: true,
    // A file that has a learned code takes it over.
    origin: 'catalog',
  }),
}

const named = (record: { id: string; name: string }) => ({
  id: record.id,
  record,
  name: record.name,
  name_key: fold(record.name),
})

const contact = (record: Entry<'companies'> | Entry<'locations'>) => ({
  ...named(record),
  phone: record.phone ?? null,
  address: record.address ?? null,
  is_active: record.isActive,
})

/** The types of columns that do not hold text. */
const TYPES: Record<string, string> = {
  record: 'jsonb',
  address: 'jsonb',
  settings: 'jsonb',
  is_active: 'boolean',
  is_dot: 'boolean',
  service_ids: 'text[]',
  package_ids: 'text[]',
}

function saveBatch<K extends EntryKind>(
  tenantId: string,
  kind: K,
  batch: Entry<K>[],
  { isNew }: { isNew: boolean },
): Statement {
  if (kind === 'clinics') return saveClinics(tenantId, batch as Entry<'clinics'>[], { isNew })
  const toRow = ROWS[kind as Exclude<K, 'clinics'>] as (entry: Entry<K>) => object
  const rows = batch.map((entry) => toRow(entry))
  return kind === 'tokens' ? saveTokens(tenantId, rows) : saveRows(tenantId, kind, rows)
}

function saveRows(tenantId: string, kind: EntryKind, rows: object[]): Statement {
  const columns = Object.keys(rows[0]!)
  const typed = columns.map((name) => `${name} ${TYPES[name] ?? 'text'}`)
  return sql`
    insert into ${identifiers(kind)} (tenant_id, ${identifiers(...columns)})
    select ${tenantId}, ${identifiers(...columns)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (${identifiers(...typed)})
    on conflict (tenant_id, id) do update set ${identifiers(...columns.map((name) => `${name} = excluded.${name}`))}, removed_at = null`
}

const saveTokens = (tenantId: string, rows: object[]): Statement => sql`
  insert into tokens (tenant_id, id, name, scopes, company_ids, secret_hash, expires_at, rate_limit, senders, origin)
  select ${tenantId}, r.id, r.name, r.scopes, r.company_ids, decode(r.secret_hash, 'hex'), r.expires_at, r.rate_limit,
    nullif(r.senders, 'null'), 'catalog'
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
    as r(id text, name text, scopes text[], company_ids text[], secret_hash text, expires_at timestamptz, rate_limit integer,
      senders jsonb)
  on conflict (tenant_id, id) do update set name = excluded.name, scopes = excluded.scopes, company_ids = excluded.company_ids,
    secret_hash = case when tokens.revoked_at is null then coalesce(excluded.secret_hash, tokens.secret_hash)
      else tokens.secret_hash end,
    expires_at = excluded.expires_at,
    rate_limit = excluded.rate_limit, senders = excluded.senders, is_active = true
  where tokens.origin = 'catalog'`
