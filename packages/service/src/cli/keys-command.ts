import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { rotateAndRecord, type Renewed } from '../operations/rotate-keys.ts'
import { readConfig } from './config.ts'
import { withStore } from './database.ts'
import { recorder } from './local-actor.ts'
import { addKey, keyFileOf, NOTICED_WITHIN_MS } from './keys.ts'

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
      print(summary(await withStore(config, (store) => rotateAndRecord(store, recorder()), { asOwner: true })))
    })
}

const ROTATION = `
A sandbox keeps its keys in the data folder: a new one is put in front, and running nodes notice.
Where OTS_KEYS is set, no key is made. Change it in steps, each on all nodes before the next:
  1. OTS_KEYS=old,new   every node can read what will be sealed with the new key
  2. OTS_KEYS=new,old   the new key is the current one
  3. ots keys rotate    with the settings of step 2
  4. OTS_KEYS=new       the old key is needed no more`

const summary = (renewed: Renewed) => {
  const { orders, callbacks, deliveries, attempts, answers, results, refusedMessages, documents, messages } = renewed
  const { mailbox, auditDetails, oldAuditDetails, unsignedCheckpoints } = renewed
  const lines = [
    `Renewed ${orders} orders, ${callbacks} callbacks, ${deliveries} deliveries, ${answers} kept answers, ` +
      `${results + refusedMessages} results, ${documents} documents, ${attempts + messages} recorded attempts and ${mailbox} letters.`,
    `Renewed the details of ${auditDetails} audit entries.`,
  ]
  if (oldAuditDetails + unsignedCheckpoints > 0)
    lines.push(
      `Run this as the owner of the schema, too: it has to remove ${oldAuditDetails} copies of them under older keys ` +
        `and to sign ${unsignedCheckpoints} checkpoints of the audit log.`,
    )
  return lines.join('\n')
}
