import { describe, expect, test } from 'vitest'
import { Unavailable } from '../../src/store/db/errors.ts'
import { Turns } from '../../src/store/db/turns.ts'

/** Work that runs until the test ends it. */
function given(options: Partial<ConstructorParameters<typeof Turns>[0]> = {}) {
  const turns = new Turns({ atOnce: 2, ofOneParty: 2, waiting: 3, ...options })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string) =>
    turns.run(name.slice(0, 1), () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise((done) => setImmediate(done))
  }
  /** Starts work whose outcome does not matter: what is never served gives up waiting after the test. */
  const begin = (name: string) => void run(name).catch(() => {})
  return { run, begin, end, started }
}

describe('turns', () => {
  test('no more units than the limit run at once, and the next starts when one ends', async () => {
    const { run, end, started } = given()
    const all = ['a1', 'a2', 'a3'].map((name) => run(name))
    expect(started).toEqual(['a1', 'a2'])
    await end('a1')
    expect(started).toEqual(['a1', 'a2', 'a3'])
    await end('a2')
    await end('a3')
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3'])
  })

  test('one party cannot take the turns of all others', () => {
    const { begin, started } = given({ ofOneParty: 1 })
    for (const name of ['a1', 'a2', 'b1']) begin(name)
    expect(started).toEqual(['a1', 'b1'])
  })

  test('waiting parties are served in turn, however many units of one are waiting', async () => {
    const { begin, end, started } = given({ atOnce: 1 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) begin(name)
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name)
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  test('units of a party beyond its waiting limit are refused at once, while those of another party are not', async () => {
    const { run, begin, started } = given({ atOnce: 1, waiting: 1 })
    for (const name of ['a1', 'a2']) begin(name)
    await expect(run('a3')).rejects.toBeInstanceOf(Unavailable)
    begin('b1')
    expect(started).toEqual(['a1'])
  })

  test('a unit that fails passes its turn on', async () => {
    const turns = new Turns({ atOnce: 1, ofOneParty: 1, waiting: 1 })
    const failed = turns.run('a', () => Promise.reject(new Error('It failed.')))
    const next = turns.run('a', () => Promise.resolve('done'))
    await expect(failed).rejects.toThrow('It failed.')
    expect(await next).toBe('done')
  })

  test('a unit that waits too long is refused, and takes no turn afterwards', async () => {
    const { run, end, started } = given({ atOnce: 1, waitMs: 5 })
    const first = run('a1')
    await expect(run('a2')).rejects.toBeInstanceOf(Unavailable)
    await end('a1')
    expect(await first).toBe('a1')
    const third = run('a3')
    await end('a3')
    expect([await third, started]).toEqual(['a3', ['a1', 'a3']])
  })
})
