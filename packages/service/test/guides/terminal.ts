import { spawn, type ChildProcessWithoutNullStreams, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { END_WITH_PARENT } from '../support/processes.ts'

type Environment = Record<string, string | undefined>

export interface Place {
  cwd: string
  env: Environment
}

/** Ends what a block prints. */
const MARK = '\x1e'

type Shell = ChildProcessWithoutNullStreams

/** A shell in which the blocks of a guide are run one after the other, as a reader pastes them. */
export class Terminal {
  readonly #bash: Shell
  #printed = ''
  #errors = ''
  #isClosed = false
  #onChange = () => {}

  constructor({ cwd, env }: Place) {
    // Programs that go on in the background end with the pipe on descriptor 3.
    this.#bash = spawn('bash', ['-s'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
    this.#bash.stdout.on('data', (chunk: Buffer) => {
      this.#printed += chunk.toString()
      this.#onChange()
    })
    this.#bash.stderr.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()))
    this.#bash.on('exit', () => (this.#bash.stdio[3] as Duplex).destroy())
    this.#bash.on('close', () => {
      this.#isClosed = true
      this.#onChange()
    })
    this.#bash.stdin.on('error', () => {})
    this.#bash.stdin.write('set -eu -o pipefail\n')
  }

  /** Runs a block and returns what it prints. Throws if a command fails; only the last one may, with the exit code given. */
  async run(text: string, exitCode = 0): Promise<string> {
    ;[this.#printed, this.#errors] = ['', '']
    const [before, after] = exitCode === 0 ? ['', ''] : ['set +e\n', '\nset -e']
    this.#bash.stdin.write(`${before}{\n${text}\n} < /dev/null\nprintf '${MARK}%d${MARK}' $?${after}\n`)
    while (!this.#isClosed) {
      const [, printed, code] = new RegExp(`^(.*)${MARK}(\\d+)${MARK}$`, 's').exec(this.#printed) ?? []
      if (code === String(exitCode)) return printed!
      if (code !== undefined) throw new Error(`The exit code is ${code}.\n${this.#errors}`)
      await new Promise<void>((resolve) => (this.#onChange = resolve))
    }
    throw new Error(`A command failed:\n${text}\n${this.#printed}${this.#errors}`)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    const closed = once(this.#bash, 'close')
    this.#bash.stdin.end()
    await closed
  }
}

/** The terminal in which a program keeps running. It ends with the tests, however they end. */
export class SecondTerminal {
  readonly #place: Place
  #running: ReturnType<typeof spawn> | undefined
  #printed = ''
  #errors = ''

  constructor({ cwd, env }: Place) {
    this.#place = { cwd, env: { ...env, NODE_OPTIONS: `--import ${END_WITH_PARENT}` } }
  }

  /** Kills what runs there, without a chance to clean up, and runs something else. */
  async run(text: string): Promise<void> {
    await this.close()
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe']
    const child = spawn('bash', ['-c', text], { ...this.#place, stdio, detached: true })
    child.stdout!.on('data', (chunk: Buffer) => (this.#printed += chunk.toString()))
    child.stderr!.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()))
    this.#running = child
  }

  /** What was printed there since the last `clear`. */
  get printed(): string {
    return this.#printed
  }

  /** Everything that went to standard error. */
  get errors(): string {
    return this.#errors
  }

  clear(): void {
    this.#printed = ''
  }

  async close(): Promise<void> {
    const child = this.#running
    this.#running = undefined
    if (!child || child.exitCode !== null) return
    const closed = once(child, 'close')
    process.kill(-child.pid!, 'SIGKILL')
    await closed
  }
}
