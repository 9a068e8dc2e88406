import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { rotateAndRecord, type Renewed } from '../../operations/sealing/rotate-keys.ts'
import { withExamples } from '../help.ts'
import { mode } from '../output/mode.ts'
import { failWith, print, showDone } from '../output/print.ts'
import { withProgress, type Reporter } from '../output/progress.ts'
import { formatCount } from '../output/table.ts'
import { checkDatabase, withStore } from '../run/database.ts'
import { addKey, keyFileOf, NOTICED_WITHIN_MS } from '../run/keys.ts'
import { recorder } from '../run/local-actor.ts'
import { readConfig } from '../run/settings.ts'

export function define(keys: Command): void {
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
    (store) => rotateAndRecord(store, recorder(), (each) => update({ ...each, kind: toWords(each.kind) })),
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
  3. ots keys rotate    with the settings of step 2
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
