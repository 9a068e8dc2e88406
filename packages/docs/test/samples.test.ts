import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '@order-testing/contract'
import { operatorEndpoints } from '@order-testing/contract/operator'
import { composePages } from '../src/site.ts'

const BUILD = fileURLToPath(new URL('../build/', import.meta.url))
const TSC = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace(/package\.json$/, 'bin/tsc')

let folder: string
beforeAll(async () => {
  await mkdir(BUILD, { recursive: true })
  // Inside of this package, so that the client is found.
  folder = await mkdtemp(join(BUILD, 'samples-'))
})
afterAll(() => rm(folder, { recursive: true }))

const PAGES = composePages()

/** The section of each operation, by its id. */
function sections(folderName: string): Map<string, string> {
  const pages = PAGES.filter(({ path }) => path.startsWith(`${folderName}/`))
  return new Map(
    pages.flatMap(({ markdown }) =>
      markdown.split(/^(?=## )/m).flatMap((section) => {
        const id = /^## .* \{#(\w+)\}$/m.exec(section)?.[1]
        return id === undefined ? [] : [[id, section] as const]
      }),
    ),
  )
}

const blocks = (section: string, language: string) =>
  [...section.matchAll(new RegExp(`^\`\`\`${language} \\[.*\\]\\n([^]*?)\\n\`\`\`$`, 'gm'))].map(([, code]) => code!)

test('every operation has a section with its method, path, scope and a request with curl', () => {
  for (const [name, all] of [
    ['api', endpoints],
    ['operator-api', operatorEndpoints],
  ] as const) {
    const found = sections(name)
    for (const [id, { method, path, scope }] of Object.entries(all)) {
      const section = found.get(id) ?? ''
      expect(section).toContain(`>${method}</span> <code>${path}</code>`)
      for (const each of [scope].flat()) expect(section).toContain(`<code>${each}</code>`)
      const [curl] = blocks(section, 'sh')
      expect(curl).toMatch(/^curl (-X [A-Z]+ )?'http:\/\/127\.0\.0\.1:3000\/api\//)
      expect(curl).toContain(`Bearer $${name === 'api' ? 'OTS_TOKEN' : 'OTS_OPERATOR_TOKEN'}"`)
    }
  }
})

test('every operation for integrators has a request with the client, and all of them compile', async () => {
  const found = sections('api')
  for (const id of Object.keys(endpoints)) {
    const [code = ''] = blocks(found.get(id) ?? '', 'ts')
    expect([id, code]).toEqual([id, expect.stringContaining('await')])
    await writeFile(join(folder, `${id}.ts`), code)
  }
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: ['node'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiled = await promisify(execFile)(process.execPath, [TSC, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
})
