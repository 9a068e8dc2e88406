import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OTS } from '../support/processes.ts'
import { isFile, isProgram, reasonNotRun, type Guide } from './blocks.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const LINKED = ['@order-testing/client', 'express', 'fastify', '@types/express', '@types/node']
const OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  types: ['node'],
}

export const PROGRAM = 'program.ts'

/**
 * Writes the files of all guides, each guide in a folder of its own, and compiles their TypeScript. Commands that a reader
 * would get from npm are in `bin`.
 */
export async function prepare(folder: string, guides: Guide[], adapt: (guide: Guide, text: string) => string) {
  for (const name of LINKED) {
    await mkdir(join(folder, 'node_modules', name, '..'), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await write(join(folder, 'package.json'), '{"type":"module"}')
  await write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, include: ['*/**/*.ts'] }))
  await write(join(folder, 'bin/npx'), NPX)
  await chmod(join(folder, 'bin/npx'), 0o755)
  for (const guide of guides) {
    const files = guide.blocks.filter((block) => isFile(block) && reasonNotRun(block) === undefined)
    for (const { label, text } of files) await write(join(folder, guide.name, label), adapt(guide, `${text}\n`))
    await write(join(folder, guide.name, PROGRAM), adapt(guide, programOf(guide)))
  }
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [], { cwd: folder }).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`The guides have type errors. Lines of ${PROGRAM} are those of the guide.\n${stdout}`)
    },
  )
}

/** What `npx` does for a reader: it runs TypeScript, here as it was compiled, and the service's command. */
const NPX = `#!/bin/sh
command=$1
shift
case $command in
  tsx) file=$1; shift; exec '${process.execPath}' "\${file%.ts}.js" "$@" ;;
  ots) exec '${process.execPath}' '${OTS}' "$@" ;;
esac
echo "No command $command" >&2
exit 127
`

/** The TypeScript tabs of a guide as one program, on the lines that they have in the guide. */
function programOf({ text, blocks }: Guide): string {
  const lines = text.split('\n').map(() => '')
  for (const block of blocks.filter((each) => isProgram(each) && reasonNotRun(each) === undefined))
    for (const [i, line] of block.text.split('\n').entries()) lines[block.line - 1 + i] = line
  return `${lines.join('\n')}\nexport {}\n`
}

/** The lines that the program prints, from the comments after its calls of `console.log`. */
export const linesOf = ({ blocks }: Guide): string[] =>
  blocks
    .filter((block) => isProgram(block) && reasonNotRun(block) === undefined)
    .flatMap(({ text }) => [...text.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, shown]) => shown!))

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
