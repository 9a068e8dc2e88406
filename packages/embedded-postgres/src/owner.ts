import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Identity, identify, isAlive } from './identity.ts'
import { EmbeddedRefusal } from './refusal.ts'

/** The process that works on a folder, and the server it runs there. */
export interface Owner extends Identity {
  id: string
  socketDir?: string
  server?: Identity
  ready?: boolean
}

export interface Claim {
  /** The dead owner that was replaced. */
  former: Owner | null
  record(part: Partial<Owner>): Promise<void>
  release(): Promise<void>
}

/**
 * Makes this process the only owner of the folder, or refuses. The file appears complete, because it is linked, not written
 * in place, and only the process that holds `.next` replaces a dead owner.
 */
export async function claim(folder: string, subject: string): Promise<Claim> {
  const path = ownerFile(folder)
  const next = `${path}.next`
  const mine: Owner = { ...identify(process.pid), id: randomUUID() }
  const draft = `${path}.${mine.id}`
  const toClaim = (former: Owner | null): Claim => ({
    former,
    async record(part) {
      Object.assign(mine, part)
      await writeFile(draft, JSON.stringify(mine))
      await rename(draft, path)
    },
    async release() {
      if ((await readOwner(folder))?.id === mine.id) await rm(path, { force: true })
    },
  })
  await writeFile(draft, JSON.stringify(mine))
  try {
    for (;;) {
      if (await tryLink(draft, path)) return toClaim(null)
      refuseAlive(await readOwner(folder), subject)
      if (!(await tryLink(draft, next))) {
        refuseAlive(await readOwnerFile(next), subject)
        await rm(next, { force: true })
        continue
      }
      try {
        const former = await readOwner(folder)
        refuseAlive(former, subject)
        if (!former) continue // released in the meantime: the first to link it wins
        await rename(draft, path)
        return toClaim(former)
      } finally {
        await rm(next, { force: true })
      }
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** The recorded owner, dead or alive; null if there is none. */
export const readOwner = (folder: string) => readOwnerFile(ownerFile(folder))

function refuseAlive(owner: Owner | null, subject: string): void {
  if (!owner || !isAlive(owner)) return
  throw new EmbeddedRefusal(
    `${subject} is in use by the running process ${owner.pid}.\n` +
      'Stop that process first. To run the service a second time, choose another folder with OTS_DATA_DIR.',
  )
}

const ownerFile = (folder: string) => join(folder, 'postgres.owner')

/** A file that a power failure left empty counts as one of a dead owner. */
async function readOwnerFile(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch (error) {
    if (error instanceof SyntaxError) return { id: '', pid: 0, born: '' }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
