import { cp, mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { newFolder } from '../support/folders.ts'

/** A folder of packages with the file that chooses what `ots` runs, and that file's choice. */
let packages: string
const choice = async () => {
  const { program } = (await import(pathToFileURL(join(packages, 'service/bin/program.js')).href)) as {
    program: () => string
  }
  return program().slice(pathToFileURL(join(packages, 'service/')).href.length)
}

beforeEach(async () => {
  packages = await newFolder()
  await cp(join(import.meta.dirname, '../../bin'), join(packages, 'service/bin'), { recursive: true })
})

async function write(path: string, minute: number): Promise<void> {
  const file = join(packages, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, '')
  const at = new Date(Date.UTC(2026, 0, 1, 12, minute))
  await utimes(file, at, at)
}

describe('what ots runs', () => {
  test('is the bundle of an archive, which has nothing else', async () => {
    await write('service/dist/bundle/main.js', 0)
    expect(await choice()).toBe('dist/bundle/main.js')
  })

  test('is the bundle if nothing was compiled after it was made', async () => {
    for (const name of ['client', 'contract', 'pages', 'service']) await write(`${name}/dist/tsconfig.tsbuildinfo`, 1)
    await write('service/dist/bundle/main.js', 2)
    expect(await choice()).toBe('dist/bundle/main.js')
  })

  test.each(['client', 'contract', 'pages', 'service'])(
    'is the modules if the package %s was compiled since the bundle was made',
    async (name) => {
      await write('service/dist/bundle/main.js', 1)
      await write(`${name}/dist/tsconfig.tsbuildinfo`, 2)
      expect(await choice()).toBe('dist/cli/main.js')
    },
  )

  test('is the modules if there is no bundle', async () => {
    await write('service/dist/tsconfig.tsbuildinfo', 1)
    expect(await choice()).toBe('dist/cli/main.js')
  })
})
