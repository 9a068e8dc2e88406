import { expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, PATIENT, SLOW, startProcess } from '../support/processes.ts'
import { freshDatabase, urlOf } from '../support/service.ts'

removeFoldersAfterAll()

test('ots serve --json prints log lines instead of the banner of a sandbox', SLOW, async () => {
  const database = await freshDatabase()
  const port = await freePort()
  const env = { DATABASE_URL: urlOf(database.target), OTS_DATA_DIR: await newFolder(), PORT: String(port) }
  const service = startProcess(['serve', '--json'], env)
  await expect.poll(() => service.stdout(), PATIENT).toContain('"msg":"Listening"')
  expect(await service.end('SIGTERM')).toBe(0)
  const lines = service
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'Listening', port, mode: 'sandbox' }))
  await database.drop()
})
