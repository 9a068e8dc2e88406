import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { newFolder } from '../../service/test/support/folders.ts'

const DIST = fileURLToPath(new URL('../dist', import.meta.url))

/** A program that uses everything; `CLIENT` stands for the folder of the client. */
export const ALL = "export * from 'CLIENT/index.js'"

/** The minified bundle of what a program uses. */
export async function bundle(source: string): Promise<string> {
  const entry = join(await newFolder(), 'entry.js')
  await writeFile(entry, source.replaceAll('CLIENT', DIST))
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'bundled', fileName: 'bundle' },
    },
  })
  const [result] = [built].flat() as { output: { code: string }[] }[]
  return result!.output[0]!.code
}
