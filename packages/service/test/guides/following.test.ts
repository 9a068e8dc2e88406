import { describe, expect, test } from 'vitest'
import { removeFoldersAfterAll } from '../support/folders.ts'
import { SLOW } from '../support/processes.ts'
import { FOR_ADMINISTRATORS, readGuides } from './blocks.ts'
import { follow, Machine } from './machine.ts'
import { isInstalled } from './reader.ts'

const guides = await readGuides()

removeFoldersAfterAll()

describe.skipIf(!isInstalled('jq'))('on a machine with nothing else', () => {
  test.each(FOR_ADMINISTRATORS.filter((name) => name !== 'production'))(
    'the commands of the guide %s print what it shows',
    { timeout: 2 * SLOW.timeout },
    async (name) => {
      const machine = await Machine.make()
      const guide = guides.find((each) => each.name === name)!
      await expect(follow(guide, machine)).resolves.toBeUndefined()
    },
  )
})
