import { hostname, userInfo } from 'node:os'
import { localRecorder, type LocalActor, type Recorder } from '../operations/audit.ts'
import { Chance } from '../operations/chance.ts'

/** Who runs this process, and where, for the audit log. */
export function localActor(): LocalActor {
  return { osUser: userName(), host: hostname() }
}

/** Records what this process does to the database without a token. */
export const recorder = (): Recorder => localRecorder(localActor(), { now: () => new Date(), random: new Chance() })

/** In a container a user may have no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
