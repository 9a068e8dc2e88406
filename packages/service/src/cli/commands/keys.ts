import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { rotateAndRecord, type Renewed } from '../../operations/sealing/rotate-keys.ts'
import { readConfig } from '../run/settings.ts'
import { withStore } from '../run/database.ts'
import { recorder } from '../run/local-actor.ts'
import { addKey, keyFileOf, NOTICED_WITHIN_MS } from '../run/keys.ts'
import { counted } from '../output/table.ts'

export function addKeysCommand(ots: Command, print: (text: string) => void): void {
  const keys = ots.command('keys').description('manage the keys that stored data is sealed with')

  keys
    .command('rotate')
    .description('seal everything with the current key, while the service runs')
    .addHelpText('after', ROTATION)
    .action(async () => {
      const config = readConfig(process.env)
      const path = keyFileOf(config)
      if (path !== null) {
        print(`Key "${await addKey(path)}" is now the current one of ${path}.`)
        await sleep(NOTICED_WITHIN_MS)
      }
      const renewed = await withStore(config, (store) => rotateAndRecord(store, recorder()), { asOwner: true })
      print(summary(renewed))
      const left = leftText(renewed)
      if (left === '') return
      process.stderr.write(`${left}\n`)
      process.exitCode = 1
    })
}

const ROTATION = `
A sandbox keeps its keys in the data folder: a new one is put in front, and running nodes notice.
Where OTS_KEYS is set, no key is made. Change it in steps, each on all nodes before the next:
  1. OTS_KEYS=old,new   every node can read what will be sealed with the new key
  2. OTS_KEYS=new,old   the new key is the current one
  3. ots keys rotate    with the settings of step 2
  4. OTS_KEYS=new       the old key is needed no more
Exit code 1: something is left under older keys, which only the owner of the schema can remove.`

const summary = (renewed: Renewed) => {
  const { orders, callbacks, deliveries, attempts, answers, results, refusedMessages, documents, messages } = renewed
  const { mailbox, auditDetails } = renewed
  return [
    `Renewed ${orders} orders, ${callbacks} callbacks, ${deliveries} deliveries, ${answers} kept answers, ` +
      `${results + refusedMessages} results, ${documents} documents, ${attempts + messages} recorded attempts and ${mailbox} letters.`,
    `Renewed the details of ${auditDetails} audit entries.`,
  ].join('\n')
}

/** What is still under older keys, and what to do about it; empty where nothing is. */
function leftText({ oldAuditDetails, unsignedCheckpoints }: Renewed): string {
  if (oldAuditDetails + unsignedCheckpoints === 0) return ''
  const copies = counted(oldAuditDetails, 'copy of audit details', 'copies of audit details')
  const checkpoints = counted(unsignedCheckpoints, 'checkpoint')
  return (
    `The rotation is not complete: ${copies} under older keys and ${checkpoints} of the audit log without the current ` +
    'signature are left. Run this as the owner of the schema, with all keys, before you give up the older ones.'
  )
}
