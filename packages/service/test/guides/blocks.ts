import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/** A fenced block of a guide. */
export interface Block {
  /** Language of the fence, such as `sh`. */
  language: string
  /** The name of its tab. A name with an extension is a file that the reader saves. */
  label: string
  text: string
  /** Line of its first line in the guide, from 1. */
  line: number
  /** What the comments before it, or before its group of tabs, say. */
  notes: string[]
}

export interface Guide {
  name: string
  text: string
  blocks: Block[]
}

const FOLDER = new URL('../../../../docs/guides/', import.meta.url)

export async function readGuides(): Promise<Guide[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.md')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, FOLDER), 'utf8')
      return { name: basename(file, '.md'), text, blocks: blocksOf(text) }
    }),
  )
}

const OPENING = /^```(\w+)(?: \[(.+)\])?$/
const NOTE = /^<!-- (.+) -->$/

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let [notes, groupNotes, isGroup]: [string[], string[], boolean] = [[], [], false]
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const [, note] = NOTE.exec(line) ?? []
    const [opening, language = '', label = ''] = OPENING.exec(line) ?? []
    if (note) notes.push(note)
    else if (line.startsWith(':::')) [isGroup, groupNotes, notes] = [line.includes('code-group'), notes, []]
    else if (opening) {
      const end = lines.indexOf('```', i)
      if (end < 0) throw new Error(`The block at line ${i + 1} has no end.`)
      const text = lines.slice(i + 1, end).join('\n')
      blocks.push({ language, label, text, line: i + 2, notes: [...(isGroup ? groupNotes : []), ...notes] })
      ;[i, notes] = [end, []]
    } else if (line.trim() !== '') notes = []
  }
  return blocks
}

/** The reason why a block is not run; undefined if it is. */
export const reasonNotRun = ({ notes }: Block) =>
  notes.find((note) => note.startsWith('not run'))?.replace(/^not run:?\s*/, '')

/** Whether the block belongs to the terminal in which the reader leaves a program running. */
export const isBeside = ({ notes }: Block) => notes.includes('second terminal')

/** Whether the program in the second terminal is killed before. */
export const killsSecond = ({ notes }: Block) => notes.includes('kill the second terminal')

/** Whether the reader saves the block as a file of this name. */
export const isFile = ({ label }: Block) => /^[\w/-]+\.\w+$/.test(label)

/** The exit code of the block's last command. */
export const exitCodeOf = ({ notes }: Block) =>
  Number(notes.find((note) => note.startsWith('exit code '))?.slice('exit code '.length) ?? 0)

/** The program that a block needs and that not every machine has. */
export const neededBy = ({ notes }: Block) => notes.find((note) => note.startsWith('needs: '))?.slice('needs: '.length)

/** Whether the block shows what the commands before it print. */
export const isOutput = (block: Block) => /^(json|text)$/.test(block.language) && !isFile(block)

/** Blocks of the program that the TypeScript tabs of a guide make together. */
export const isProgram = (block: Block) => block.language === 'ts' && !isFile(block)

/** Guides for those who run the service or connect a laboratory: commands alone, on a machine of their own. */
export const FOR_ADMINISTRATORS = ['install', 'laboratories', 'operating', 'production']

/** First lines of blocks that download and build: `deploy/fresh-install.test.ts` runs them in this order. */
export const FRESH_INSTALL = [
  'git clone "$REPOSITORY" order-testing-service',
  'npm ci && npm run docs',
  'npm install --omit=optional --prefix /opt/order-testing ./archives/*.tgz',
]
