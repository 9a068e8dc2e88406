import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, where a database is created ten times as fast as on a disk. */
const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 8 * 2 ** 30

/**
 * Makes the folder for temporary files of a run, and makes it the one of `tmpdir()`. Other users may create files there,
 * because root starts the embedded server as another user. Returns a function that removes it.
 */
export async function makeScratch(): Promise<() => Promise<void>> {
  const parent = (await isUsable(MEMORY).catch(() => false)) ? MEMORY : tmpdir()
  await removeLeft(parent)
  const folder = await mkdtemp(join(parent, `ots-run-${process.pid}-`))
  await chmod(folder, 0o1777)
  process.env['TMPDIR'] = folder
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** In containers it is often small, or no programs may run from it. */
async function isUsable(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
  const options = mounts.findLast(([, place]) => place === folder)?.[3]?.split(',') ?? []
  return bavail * bsize > ENOUGH_BYTES && options.includes('rw') && !options.includes('noexec')
}

/** Removes what interrupted runs left, because it takes up memory. */
async function removeLeft(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^ots-run-(\d+)-/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
