import { execFileSync } from 'node:child_process'
import { until } from '../webhooks/working.ts'
import {
  exitCodeOf,
  isBeside,
  isOutput,
  killsSecond,
  neededBy,
  reasonNotRun,
  type Block,
  type Guide,
} from './blocks.ts'
import { Expectations } from './expected.ts'
import { SecondTerminal, Terminal, type Place } from './terminal.ts'

/** Follows a guide like a person: runs its commands one after the other, and compares what they print with what it shows. */
export class Reader {
  readonly #guide: Guide
  readonly #terminal: Terminal
  readonly #second: SecondTerminal
  readonly #expectations = new Expectations()
  readonly #adapt: (text: string) => string
  /** The last commands, and what they printed. */
  #last: { block: Block; printed: string } | undefined

  constructor(guide: Guide, place: Place, adapt: (text: string) => string) {
    this.#guide = guide
    this.#terminal = new Terminal(place)
    this.#second = new SecondTerminal(place)
    this.#adapt = adapt
  }

  /** Reads all of it, or the part before a heading. */
  async read(before?: string): Promise<void> {
    const { text } = this.#guide
    const end = before === undefined ? text.length : text.indexOf(`\n## ${before}`)
    const lines = text.slice(0, end).split('\n').length
    for (const block of runnable(this.#guide).filter(({ line }) => line <= lines)) await this.#read(block)
    this.#endCommands()
  }

  /** Starts what the guide runs in a second terminal, and waits until it says that it is ready. */
  async startSecondTerminal(): Promise<void> {
    for (const block of runnable(this.#guide).filter(isBeside).slice(0, 2)) await this.#read(block)
  }

  async close(): Promise<void> {
    await Promise.all([this.#terminal.close(), this.#second.close()])
  }

  async #read(block: Block): Promise<void> {
    const text = this.#adapt(block.text)
    if (block.language === 'sh') {
      this.#endCommands()
      if (killsSecond(block)) await this.#second.close()
      if (isBeside(block)) await this.#second.run(text)
      else if (isInstalled(neededBy(block))) this.#last = { block, printed: await this.#run(block) }
      else process.stderr.write(`${this.#guide.name}:${block.line} was skipped: ${neededBy(block)} is not installed\n`)
    } else if (isOutput(block)) {
      if (isBeside(block)) await this.#awaitOutput(block, text)
      else await this.#checkOutput(block, text)
    }
  }

  #run(block: Block): Promise<string> {
    return this.#terminal.run(this.#adapt(block.text), exitCodeOf(block)).catch((error: Error) => {
      throw new Error(`${this.#guide.name}:${block.line}: ${error.message}`)
    })
  }

  /** Programs in the second terminal print when they get to it. */
  async #awaitOutput(block: Block, shown: string): Promise<void> {
    const mismatch = () => this.#expectations.mismatch(shown, this.#second.printed, block.language)
    await until(() => mismatch() === undefined).catch(() => this.#fail(block, `${mismatch()}\n${this.#second.errors}`))
    this.#second.clear()
  }

  /** Commands that only read are repeated, as a person would who sees that something is still under way. */
  async #checkOutput(block: Block, shown: string): Promise<void> {
    const last = this.#last
    if (!last) return
    const mismatch = () => this.#expectations.mismatch(shown, last.printed, block.language)
    if (mismatch() !== undefined && isRead(last.block)) {
      const isAsShown = async () => {
        last.printed = await this.#run(last.block)
        return mismatch() === undefined
      }
      await until(isAsShown, 'the output', 20_000).catch(() => {})
    }
    if (mismatch() !== undefined) this.#fail(block, mismatch())
    this.#last = undefined
  }

  /** Whatever commands print is shown. */
  #endCommands(): void {
    const { block, printed = '' } = this.#last ?? {}
    if (block && printed.trim() !== '') this.#fail(block, `The guide does not show what is printed:\n${printed}`)
    this.#last = undefined
  }

  #fail(block: Block, fault: string | undefined): never {
    throw new Error(`${this.#guide.name}:${block.line}: ${fault}`)
  }
}

const runnable = ({ blocks }: Guide) => blocks.filter((block) => reasonNotRun(block) === undefined)

const isRead = ({ text }: Block) => text.includes('curl') && !/ (-d|-X) |npx/.test(text)

const installed = new Map<string, boolean>()

export function isInstalled(program: string | undefined): boolean {
  if (program === undefined) return true
  const known = installed.get(program) ?? canRun(program)
  installed.set(program, known)
  return known
}

function canRun(program: string): boolean {
  try {
    execFileSync('bash', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}
