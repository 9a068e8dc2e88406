import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots, serving, SLOW } from '../support/processes.ts'

const isRoot = process.getuid?.() === 0

removeFoldersAfterAll()

interface Listed {
  name: string
  dataDir: string
}

describe.runIf(isRoot)('as root, in a data folder that the user of the server cannot enter', SLOW, () => {
  let env: { OTS_DATA_DIR: string }
  let name: string
  beforeAll(async () => {
    const folder = await newFolder()
    await chmod(folder, 0o700)
    env = { OTS_DATA_DIR: join(folder, 'data') }
  })
  afterAll(async () => {
    await rm(env.OTS_DATA_DIR, { recursive: true, force: true })
    for (const left of await listed(env.OTS_DATA_DIR)) await ots(['clusters', 'remove', left.name, '--yes'])
  })

  test('the banner and ots config print the folder of the database', async () => {
    expect((await ots(['config'], env)).stdout).toContain(
      `DATABASE_URL=(embedded, not created yet in ${env.OTS_DATA_DIR})\n`,
    )
    const service = await serving(env, 'Press Ctrl-C')
    name = (await listed(env.OTS_DATA_DIR))[0]!.name
    const cluster = `/var/lib/order-testing-service/${name}/postgres`
    expect(service.stdout()).toContain(`Database    embedded, in ${cluster}\n`)
    expect(service.stdout()).toContain(`cannot enter ${env.OTS_DATA_DIR}, which points there`)
    await service.end('SIGTERM')
    expect((await ots(['config'], env)).stdout).toContain(`DATABASE_URL=(embedded, in ${cluster})\n`)
  })

  test('ots clusters remove refuses a cluster in use', async () => {
    const { code, stderr } = await ots(['clusters', 'remove', name, '--yes'], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`used by the data folder ${env.OTS_DATA_DIR}`)])
  })

  test('ots clusters list shows an unused cluster, and ots clusters remove --yes removes it', async () => {
    await rm(env.OTS_DATA_DIR, { recursive: true })
    expect((await ots(['clusters', 'list'], env)).stdout).toContain(`unused: ${env.OTS_DATA_DIR} does not exist`)
    const asked = await ots(['clusters', 'remove', name], env)
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(/Permanently remove[^]*Add --yes to confirm/)])
    const removed = await ots(['clusters', 'remove', name, '--yes'], env)
    expect([removed.code, removed.stdout]).toEqual([0, `Removed /var/lib/order-testing-service/${name}.\n`])
    expect(await listed(env.OTS_DATA_DIR)).toEqual([])
  })
})

const listed = async (dataDir: string) => {
  const { stdout } = await ots(['clusters', 'list', '--json'])
  return (JSON.parse(stdout) as Listed[]).filter((each) => each.dataDir === dataDir)
}
