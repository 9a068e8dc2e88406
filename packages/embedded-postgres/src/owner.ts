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
 * Makes this process the only owner of the folder, or refuses. The file appears complete (it is linked, not written in
 * place), and a dead owner is replaced only by the one process that holds `.next`.
 */
export async function claim(folder: string, named: string): Promise<Claim> {
  const path = ownerFile(folder)
  const next = `${path}.next`
  const mine: Owner = { ...identify(process.pid), id: randomUUID() }
  const draft = `${path}.${mine.id}`
  await writeFile(draft, JSON.stringify(mine))
  try {
    for (;;) {
      if (await linked(draft, path)) return held(folder, mine, null)
      refuseAlive(await readOwner(folder), named)
      if (!(await linked(draft, next))) {
        refuseAlive(await read(next), named)
        await rm(next, { force: true })
        continue
      }
      try {
        const former = await readOwner(folder)
        refuseAlive(former, named)
        if (!former) continue // released meanwhile: the first to link it wins
        await rename(draft, path)
        return held(folder, mine, former)
      } finally {
        await rm(next, { force: true })
      }
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** The recorded owner, dead or alive; null if there is none. */
export function readOwner(folder: string): Promise<Owner | null> {
  return read(ownerFile(folder))
}

function held(folder: string, mine: Owner, former: Owner | null): Claim {
  const path = ownerFile(folder)
  const draft = `${path}.${mine.id}`
  return {
    former,
    async record(part) {
      Object.assign(mine, part)
      await writeFile(draft, JSON.stringify(mine))
      await rename(draft, path)
    },
    async release() {
      if ((await readOwner(folder))?.id === mine.id) await rm(path, { force: true })
    },
  }
}

function refuseAlive(owner: Owner | null, named: string): void {
  if (!owner || !isAlive(owner)) return
  throw new EmbeddedRefusal(
    `${named} is in use by the running process ${owner.pid}.\n` +
      'Stop that process first. To run the service a second time, choose another folder with OTS_DATA_DIR.',
  )
}

function ownerFile(folder: string): string {
  return join(folder, 'postgres.owner')
}

/** A file that a power failure left empty counts as that of a dead owner. */
async function read(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch (error) {
    if (error instanceof SyntaxError) return { id: '', pid: 0, born: '' }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
