import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { NodeRow } from '../../store/sealing/nodes.ts'
import type { Store } from '../../store/store.ts'
import { ConfigRefusal, type Config } from './settings.ts'

/**
 * Returns the ids of keys that are missing, which a sandbox does without. Otherwise wrong keys would show only later, as failures of
 * single requests.
 */
export async function checkKeys({ mode }: Config, store: Store, logger: Logger): Promise<string[]> {
  const wrong = await store.keyChecks.wrong()
  if (wrong.length > 0) {
    const named = wrong.map((id) => `"${id}"`).join(', ')
    const current = store.keyChecks.currentId()
    if (wrong.includes(current))
      throw new ConfigRefusal(
        `Key "${current}" of OTS_KEYS has another secret than the one this database was sealed with. Set the right secret, or use another id.`,
      )
    const message = `This database holds values sealed with ${wrong.length > 1 ? 'keys' : 'key'} ${named}: missing from OTS_KEYS, or set with another secret.`
    if (mode === 'production') throw new ConfigRefusal(`${message} Add what is missing after the current key.`)
    logger.warn(message)
  }
  await untilOthersCanRead(store, logger)
  await store.keyChecks.note()
  return wrong
}

/** A process that was killed counts as running for half a minute, so a start waits a little longer than that. */
const OTHERS_WITHIN = { tries: 70, everyMs: 500 }

/** The running processes that could not read what the current key seals. */
export async function findUnprepared({ nodes, keyChecks }: Store): Promise<NodeRow[]> {
  const current = keyChecks.currentId()
  return (await nodes.live()).filter(({ keyIds }) => !keyIds.includes(current))
}

export const nameNodes = (found: NodeRow[]) => found.map(({ name, role }) => `${name} (${role})`).join(', ')

/** Otherwise the others would fail on every list that has something new in it. */
async function untilOthersCanRead(store: Store, logger: Logger): Promise<void> {
  let found = await findUnprepared(store)
  if (found.length === 0) return
  const current = store.keyChecks.currentId()
  const lack = (them: NodeRow[]) => `${nameNodes(them)} ${them.length === 1 ? 'lacks' : 'lack'} the key "${current}"`
  logger.warn(`Waiting: ${lack(found)} and could not read what this process seals`)
  for (let left = OTHERS_WITHIN.tries; found.length > 0 && left > 0; left--) {
    await sleep(OTHERS_WITHIN.everyMs)
    found = await findUnprepared(store)
  }
  if (found.length === 0) return
  throw new ConfigRefusal(
    `${lack(found)} and could not read what this process would seal. Add it there after the current key and restart, before any process has it as the first ("ots keys rotate --help" lists the steps).`,
  )
}
