import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder } from '../support/folders.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const SERVICE = join(ROOT, 'packages/service')

/** The changes that the next release makes to the schema: it only adds, and large tables get their indexes online. */
export const NEXT_MIGRATIONS = {
  '9998_next.sql': `
    alter table orders add column next_note text;
    alter table orders add column next_count int not null default 0;
    create table next_notes (tenant_id text not null, id text not null, note text, primary key (tenant_id, id));`,
  '9999_next_indexes.sql': `-- online
create index concurrently if not exists orders_by_next_note on orders (tenant_id, next_note) where next_note is not null;
create index concurrently if not exists events_by_next on events (tenant_id, order_id, id);
`,
}

/** Makes the next release: a copy of this build with two migrations more. Returns its `ots`. */
export async function buildNextRelease(): Promise<{ ots: string; remove(): Promise<void> }> {
  const folder = await newFolder()
  const copy = join(folder, 'packages/service')
  await mkdir(copy, { recursive: true })
  // Modules find their files from where they really are, so what finds the migrations is copied, not linked.
  for (const name of ['bin', 'dist', 'migrations', 'package.json'])
    await cp(join(SERVICE, name), join(copy, name), { recursive: true })
  for (const name of ['catalog', 'places', 'site', 'node_modules']) await symlink(join(SERVICE, name), join(copy, name))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, sql] of Object.entries(NEXT_MIGRATIONS)) await writeFile(join(copy, 'migrations', name), sql)
  return { ots: join(copy, 'bin/ots.js'), remove: () => rm(folder, { recursive: true }) }
}
