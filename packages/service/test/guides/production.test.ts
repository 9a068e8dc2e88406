import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFoldersAfterAll } from '../support/folders.ts'
import { SLOW } from '../support/processes.ts'
import { isMissing } from '../support/programs.ts'
import { readGuides } from './blocks.ts'
import { follow, Machine, serverFolder } from './machine.ts'
import { isInstalled } from './reader.ts'

const guide = (await readGuides()).find(({ name }) => name === 'production')!

/** Whether something is missing that the guide needs. Says so, because a skipped test is easily overlooked. */
function isLacking(): boolean {
  const isServerMissing = serverFolder() === undefined
  if (isServerMissing)
    process.stderr.write('Skipped: the guide production, because no PostgreSQL server is installed.\n')
  return [
    isMissing('nginx'),
    isMissing('pgbouncer'),
    isMissing('promtool'),
    !isInstalled('jq'),
    isServerMissing,
  ].includes(true)
}

removeFoldersAfterAll()

describe.skipIf(isLacking())('the guide production', () => {
  let machine: Machine
  beforeAll(async () => {
    machine = await Machine.make()
    await machine.startDatabase()
    for (const path of ['etc/nginx/certificate.pem', 'etc/nginx/certificate-key.pem', 'database-ca.pem'])
      await machine.copyCertificate(path)
  }, SLOW.timeout)
  afterAll(() => machine.stop())

  test('its commands print what it shows', { timeout: 3 * SLOW.timeout }, async () => {
    await expect(follow(guide, machine)).resolves.toBeUndefined()
  })
})
