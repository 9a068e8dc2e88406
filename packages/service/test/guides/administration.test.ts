import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeFoldersAfterAll } from '../support/folders.ts'
import { SLOW } from '../support/processes.ts'
import { isFile, readGuides } from './blocks.ts'
import { Machine, serverFolder } from './machine.ts'
import { Reader } from './reader.ts'

const guides = await readGuides()
const named = (name: string) => guides.find((guide) => guide.name === name)!

removeFoldersAfterAll()

describe('the guide production', () => {
  const guide = named('production')
  let machine: Machine
  beforeAll(async () => {
    machine = await Machine.make()
    await machine.startDatabase()
    for (const path of ['etc/nginx/certificate.pem', 'etc/nginx/certificate-key.pem', 'database-ca.pem'])
      await machine.copyCertificate(path)
  }, SLOW.timeout)
  afterAll(() => machine.stop())

  test('its commands print what it shows', SLOW, async () => {
    for (const { label, text } of guide.blocks.filter(isFile)) await machine.write(label, machine.adapt(`${text}\n`))
    const reader = new Reader(guide, machine.place, machine.adapt)
    try {
      await expect(reader.read()).resolves.toBeUndefined()
    } finally {
      await reader.close()
    }
  })
})
