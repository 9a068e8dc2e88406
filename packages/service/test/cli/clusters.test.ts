import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots, serving } from '../support/processes.ts'

const isRoot = process.getuid?.() === 0

removeFoldersAfterAll()

interface Listed {
  name: string
  dataDir: string
  isInUse: boolean
}

describe.runIf(isRoot)('as root, in a data folder that the user of the server cannot enter', () => {
  let env: { OTS_DATA_DIR: string }
  beforeAll(async () => {
    const folder = await newFolder()
    await chmod(folder, 0o700)
    env = { OTS_DATA_DIR: join(folder, 'data') }
  })

  test('banner, settings and list say where the database lies, and it is removed only by a command', async () => {
    expect((await ots(['config'], env)).stdout).toContain('DATABASE_URL=(embedded, not created yet)\n')
    const service = await serving(env, 'Press Ctrl-C')
    const [own] = await listed(env.OTS_DATA_DIR)
    const folder = `/var/lib/order-testing-service/${own!.name}`
    expect(service.stdout()).toContain(`Database    embedded, in ${folder}/postgres\n`)
    expect(service.stdout()).toContain(`cannot enter ${env.OTS_DATA_DIR}, which points there`)
    expect((await ots(['config'], env)).stdout).toContain(`DATABASE_URL=(embedded, in ${folder}/postgres)\n`)
    await service.end('SIGTERM')

    const used = await ots(['clusters', 'remove', own!.name, '--yes'], env)
    expect([used.code, used.stderr]).toEqual([
      1,
      expect.stringContaining(`used by the data folder ${env.OTS_DATA_DIR}`),
    ])

    await rm(env.OTS_DATA_DIR, { recursive: true })
    expect((await ots(['clusters', 'list'], env)).stdout).toContain(`unused: ${env.OTS_DATA_DIR} does not exist`)
    const asked = await ots(['clusters', 'remove', own!.name], env)
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(/for good\?[^]*say --yes to go ahead/)])
    const removed = await ots(['clusters', 'remove', own!.name, '--yes'], env)
    expect([removed.code, removed.stdout]).toEqual([0, `Removed ${folder}.\n`])
    expect(await listed(env.OTS_DATA_DIR)).toEqual([])
  })
})

const listed = async (dataDir: string) => {
  const { stdout } = await ots(['clusters', 'list', '--json'])
  return (JSON.parse(stdout) as Listed[]).filter((each) => each.dataDir === dataDir)
}
