import { expect } from 'vitest'
import { ots } from '../support/processes.ts'

/** Runs `ots` with the given settings; `first` are the arguments that all commands begin with. */
export function commands(env: () => Record<string, string | undefined>, ...first: string[]) {
  /** The output of a command that must succeed. */
  const outputOf = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await ots([...first, ...args], env())
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
    return stdout
  }
  /** The message of a command that must be refused, without the line that names the database. */
  const errorOf = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await ots([...first, ...args], env())
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' })
    return stderr.replace(/^Database: .*\n/m, '')
  }
  return { outputOf, errorOf }
}
