import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { rotateAndRecord, type Renewed } from '../../operations/sealing/rotate-keys.ts'
import type { NodeRow } from '../../store/sealing/nodes.ts'
import type { Store } from '../../store/store.ts'
import { withExamples } from '../help.ts'
import { mode } from '../output/mode.ts'
import { failWith, print, showDone } from '../output/print.ts'
import { withProgress, type Reporter } from '../output/progress.ts'
import { formatCount, table } from '../output/table.ts'
import { findUnprepared, nameNodes } from '../run/check-keys.ts'
import { checkDatabase, withStore } from '../run/database.ts'
import { addKey, keyFileOf, newKey, NOTICED_WITHIN_MS } from '../run/keys.ts'
import { recorder } from '../run/local-actor.ts'
import { ConfigRefusal, readConfig } from '../run/settings.ts'

export function define(keys: Command): void {
  const generate = keys
    .command('generate')
    .description('Print a new key for OTS_KEYS. Nothing is changed.')
    .action(() => {
      const key = newKey()
      showDone({ key }, () => key)
    })
  withExamples(generate, 'ots keys generate > keys && chmod 600 keys')

  const list = keys
    .command('list')
    .description('List the keys, and which running processes have them.')
    .action(async () => {
      const found = await withStore(listKeys, { readOnly: true })
      showDone(found, () => listText(found))
    })
  withExamples(list, 'ots keys list')

  const rotate = keys
    .command('rotate')
    .description('Seal all stored data with the current key while the service runs.')
    .addHelpText('after', ROTATION)
    .action(async () => {
      const { addedKey, renewed } = await withProgress('Resealing', (reporter) => rotateKeys(reporter))
      showDone({ addedKey, renewed }, () => summary(renewed))
      const left = leftText(renewed)
      if (left !== '') failWith(left)
    })
  withExamples(rotate, 'ots keys rotate', 'OTS_KEYS=new:…,old:… DATABASE_URL=postgres://owner@… ots keys rotate')
}

interface Listed {
  /** The current key first. */
  keys: { id: string; isCurrent: boolean; nodes: string[] }[]
  /** Keys that values may be sealed with, but that the settings lack or have with another secret. */
  missing: string[]
  nodes: NodeRow[]
}

async function listKeys({ keyChecks, nodes }: Store): Promise<Listed> {
  const [live, missing] = await Promise.all([nodes.live(), keyChecks.wrong()])
  const holders = (id: string) => live.filter(({ keyIds }) => keyIds.includes(id)).map(({ name }) => name)
  const keys = keyChecks.ids().map((id, i) => ({ id, isCurrent: i === 0, nodes: holders(id) }))
  return { keys, missing, nodes: live }
}

const listText = ({ keys, missing, nodes }: Listed) =>
  [
    table(
      keys.map(({ id, isCurrent, nodes: { length } }) => [
        id,
        isCurrent ? 'current' : 'older',
        `${length} of ${formatCount(nodes.length, 'running process', 'running processes')}`,
      ]),
      { head: ['key', '', 'known to'] },
    ),
    ...(missing.length > 0 ? [`Missing, though values may be sealed with them: ${missing.join(', ')}.`] : []),
    ...nodes
      .filter(({ keyIds }) => keys.some(({ id }) => !keyIds.includes(id)))
      .map(({ name, role, keyIds }) => `${name} (${role}) has only ${keyIds.join(', ')}.`),
  ].join('\n')

/** How long running processes may take to notice a new key. */
const NOTICED_WITHIN = { tries: 60, everyMs: 500 }

/** Waits until every running process has the current key; refuses if one does not get it. */
async function refuseUnprepared(store: Store, mayWait: boolean): Promise<void> {
  let found = await findUnprepared(store)
  for (let left = mayWait ? NOTICED_WITHIN.tries : 0; found.length > 0 && left > 0; left--) {
    await sleep(NOTICED_WITHIN.everyMs)
    found = await findUnprepared(store)
  }
  if (found.length === 0) return
  throw new ConfigRefusal(
    `Nothing was resealed: ${nameNodes(found)} ${found.length === 1 ? 'lacks' : 'lack'} the key "${store.keyChecks.currentId()}" and could not read what it seals. Add it to OTS_KEYS there, restart, and try again.`,
  )
}

async function rotateKeys({ wait, update }: Reporter): Promise<{ addedKey: string | null; renewed: Renewed }> {
  const config = readConfig(process.env)
  const path = keyFileOf(config)
  let addedKey: string | null = null
  if (path !== null) {
    await checkDatabase(config)
    addedKey = await addKey(path)
    // Printed now: if what follows fails, the key is in use all the same.
    if (!mode.json) print(`Key "${addedKey}" is now the current key in ${path}.`)
    wait('Waiting until every node uses the new key …')
    await sleep(NOTICED_WITHIN_MS)
  }
  const renewed = await withStore(
    async (store) => {
      await refuseUnprepared(store, addedKey !== null)
      return rotateAndRecord(store, recorder(), (each) => update({ ...each, kind: toWords(each.kind) }))
    },
    { asOwner: true },
  )
  return { addedKey, renewed }
}

/** "refusedMessages" as "refused messages". */
const toWords = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const ROTATION = `
Runs on the database and needs OTS_KEYS or the key file of the data folder: keys
are never sent over the API.

A sandbox keeps its keys in the data folder: the command adds a new one in
front, and running nodes notice it. If OTS_KEYS is set, no key is created.
Change OTS_KEYS in steps, each on all nodes before the next:
  1. OTS_KEYS=old,new   every node can read what the new key will seal
  2. OTS_KEYS=new,old   the new key is the current one
  3. ots keys rotate    with the settings of step 2; refused while a running
                        process lacks the new key (see "ots keys list")
  4. OTS_KEYS=new       the old key is no longer needed

Exit code 1: something is still sealed with older keys, and only the owner of
the schema can renew it.`

const summary = (renewed: Renewed) => {
  const { orders, callbacks, deliveries, attempts, answers, results, refusedMessages, documents, messages } = renewed
  const { mailbox, auditDetails } = renewed
  return (
    `Renewed ${orders} orders, ${callbacks} callbacks, ${deliveries} deliveries, ${answers} stored responses, ` +
    `${results + refusedMessages} results, ${documents} documents, ${attempts + messages} recorded attempts and ${mailbox} e-mails.\n` +
    `Renewed the details of ${auditDetails} audit entries.`
  )
}

/** What is still sealed with older keys, and what to do about it; empty if nothing is. */
function leftText({ oldAuditDetails, unsignedCheckpoints }: Renewed): string {
  if (oldAuditDetails + unsignedCheckpoints === 0) return ''
  const copies = formatCount(oldAuditDetails, 'copy of audit details', 'copies of audit details')
  const checkpoints = formatCount(unsignedCheckpoints, 'checkpoint')
  return (
    `The rotation is not complete: ${copies} sealed with older keys and ${checkpoints} of the audit log without the current ` +
    'signature remain. Run this as the owner of the schema, with all keys, before you remove the older ones.'
  )
}
