import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Admission } from '../../src/http/limits/admission.ts'
import { FairQueue } from '../../src/http/limits/fair-queue.ts'
import { Overloaded } from '../../src/store/db/errors.ts'

const party = (tenantId: string, tokenId = 'a') => ({ tenantId, tokenId })

/** Takes everything out of the queue, in the order in which it is served. */
function drain<Item>(queue: FairQueue<Item>): Item[] {
  const items: Item[] = []
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item)
  return items
}

describe('a fair queue', () => {
  test('a fair queue serves tenants in turn, and the tokens of a tenant in turn', () => {
    const queue = new FairQueue<string>(100)
    for (let i = 1; i <= 3; i++) queue.add(party('busy', 'a'), `busy a${i}`)
    queue.add(party('busy', 'b'), 'busy b1')
    queue.add(party('calm'), 'calm 1')
    expect(drain(queue)).toEqual(['busy a1', 'calm 1', 'busy b1', 'busy a2', 'busy a3'])
  })

  test('a full queue drops an item of the party with the most waiting items for a newcomer', () => {
    const queue = new FairQueue<string>(4)
    for (let i = 1; i <= 4; i++) expect(queue.add(party('busy'), `busy ${i}`)).toBeUndefined()
    expect(queue.add(party('calm'), 'calm 1')).toBe('busy 4')
    expect(drain(queue)).toEqual(['busy 1', 'calm 1', 'busy 2', 'busy 3'])
  })

  test('a full queue refuses the party with the most waiting items', () => {
    const queue = new FairQueue<string>(2)
    queue.add(party('busy'), 'busy 1')
    queue.add(party('busy'), 'busy 2')
    expect(queue.takes(party('busy'))).toBe(false)
    expect(queue.add(party('busy'), 'busy 3')).toBe('busy 3')
    expect(queue.takes(party('calm'))).toBe(true)
    expect(queue.size).toBe(2)
  })

  test('a full queue accepts a token in place of one of the same tenant with more waiting items', () => {
    const queue = new FairQueue<string>(3)
    for (let i = 1; i <= 3; i++) queue.add(party('busy', 'a'), `a${i}`)
    expect(queue.add(party('busy', 'b'), 'b1')).toBe('a3')
    expect(queue.size).toBe(3)
  })
})

describe('admission', () => {
  /** Of three places one token may have two. */
  const limit = { atOnce: 3, waiting: 3, perTurn: 3 }
  const limits = {
    read: limit,
    list: limit,
    sharedList: limit,
    create: limit,
    result: limit,
    change: limit,
    page: limit,
  }

  /** Work that runs until `end` is called, with its outcome. */
  function begin(admission: Admission, kind: 'read' | 'create', who = party('t'), isStillRelevant?: () => boolean) {
    let end = () => {}
    const work = new Promise<void>((resolve) => (end = resolve))
    let isRunning = false
    const run = () => {
      isRunning = true
      return work.then(() => 'done')
    }
    const outcome = admission.run(kind, who, run, isStillRelevant).then(
      (done) => done ?? 'skipped',
      (error: unknown) => (error instanceof Overloaded ? 'refused' : 'failed'),
    )
    return { end: () => end(), outcome, isRunning: () => isRunning }
  }

  test('a limited number of requests of a kind run, a limited number wait, and the rest are refused at once', async () => {
    const admission = new Admission(limits)
    const all = Array.from({ length: 6 }, () => begin(admission, 'create'))
    await turn()
    expect(all.map((each) => each.isRunning())).toEqual([true, true, false, false, false, false])
    expect(await all[5]!.outcome).toBe('refused')
    expect(() => admission.check('create', party('t'))).toThrow(Overloaded)
    for (const each of all) each.end()
    expect(await Promise.all(all.map(({ outcome }) => outcome))).toEqual([...Array<string>(5).fill('done'), 'refused'])
  })

  test('a flood of one kind leaves room for the others', async () => {
    const admission = new Admission(limits)
    const creates = Array.from({ length: 5 }, () => begin(admission, 'create'))
    const read = begin(admission, 'read')
    read.end()
    expect(await read.outcome).toBe('done')
    expect(admission.figures().find(({ kind }) => kind === 'create')).toMatchObject({ running: 2, waiting: 3 })
    for (const each of creates) each.end()
    await Promise.all(creates.map(({ outcome }) => outcome))
    expect(admission.figures().every(({ running, waiting }) => running === 0 && waiting === 0)).toBe(true)
  })

  test('a limited number of requests start in one turn of the event loop', async () => {
    const admission = new Admission({ ...limits, create: { atOnce: 10, waiting: 100, perTurn: 3 } })
    const all = Array.from({ length: 9 }, () => begin(admission, 'create'))
    const running = () => all.filter((each) => each.isRunning()).length
    await Promise.resolve()
    expect(running()).toBe(3)
    await turn()
    await turn()
    expect(running()).toBe(6)
    for (const each of all) each.end()
    await Promise.all(all.map(({ outcome }) => outcome))
  })

  test('more requests start in one turn while no other kind of request runs', async () => {
    const create = { atOnce: 20, waiting: 100, perTurn: 2, perTurnAlone: 6 }
    const admission = new Admission({ ...limits, create })
    const first = Array.from({ length: 7 }, () => begin(admission, 'create'))
    await Promise.resolve()
    expect(first.filter((each) => each.isRunning())).toHaveLength(6)
    await turn()
    await turn()
    const read = begin(admission, 'read', party('t', 'reader'))
    const later = Array.from({ length: 6 }, () => begin(admission, 'create', party('t', 'another')))
    await Promise.resolve()
    expect(later.filter((each) => each.isRunning())).toHaveLength(2)
    for (const each of [...first, ...later, read]) each.end()
    expect(await Promise.all([...first, ...later].map(({ outcome }) => outcome))).toEqual(Array(13).fill('done'))
    await read.outcome
  })

  test('a kind of request counts as running until shortly after it has ended', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const create = { atOnce: 20, waiting: 100, perTurn: 2, perTurnAlone: 6 }
    const admission = new Admission({ ...limits, create })
    const startAtOnce = async () => {
      await turn()
      const all = Array.from({ length: 6 }, () => begin(admission, 'create'))
      await Promise.resolve()
      const count = all.filter((each) => each.isRunning()).length
      for (const each of all) each.end()
      await Promise.all(all.map(({ outcome }) => outcome))
      return count
    }
    const read = begin(admission, 'read', party('t', 'reader'))
    read.end()
    await read.outcome
    expect(await startAtOnce()).toBe(2)
    vi.advanceTimersByTime(1_000)
    expect(await startAtOnce()).toBe(6)
  })

  test('other tokens get through, however many requests of one token are stuck', async () => {
    const admission = new Admission(limits)
    const stuck = Array.from({ length: 4 }, () => begin(admission, 'create', party('t', 'greedy')))
    const other = begin(admission, 'create', party('t', 'modest'))
    other.end()
    expect(await other.outcome).toBe('done')
    expect(stuck.filter((each) => each.isRunning())).toHaveLength(2)
    for (const each of stuck) each.end()
    await Promise.all(stuck.map(({ outcome }) => outcome))
  })

  test('work of clients that have gone is skipped', async () => {
    const admission = new Admission(limits)
    let isStillRelevant = true
    const running = Array.from({ length: 2 }, () => begin(admission, 'create', party('t'), () => isStillRelevant))
    const left = begin(admission, 'create', party('t'), () => isStillRelevant)
    const waiting = begin(admission, 'create')
    await turn()
    isStillRelevant = false
    for (const each of [...running, waiting]) each.end()
    expect(await left.outcome).toBe('skipped')
    expect(await waiting.outcome).toBe('done')
    expect(left.isRunning()).toBe(false)
    // What has begun goes on.
    expect(await Promise.all(running.map(({ outcome }) => outcome))).toEqual(['done', 'done'])
    expect(admission.figures().every((figures) => figures.running === 0 && figures.waiting === 0)).toBe(true)
  })

  test('newcomers get the places of clients that have gone', async () => {
    const admission = new Admission(limits)
    let isStillRelevant = true
    const running = Array.from({ length: 2 }, () => begin(admission, 'create'))
    const left = Array.from({ length: 3 }, () => begin(admission, 'create', party('t'), () => isStillRelevant))
    expect(() => admission.check('create', party('t'))).toThrow(Overloaded)
    isStillRelevant = false
    expect(() => admission.check('create', party('t'))).not.toThrow()
    expect(await Promise.all(left.map(({ outcome }) => outcome))).toEqual(['skipped', 'skipped', 'skipped'])
    const newcomer = begin(admission, 'create')
    for (const each of [...running, newcomer]) each.end()
    expect(await newcomer.outcome).toBe('done')
    expect(admission.figures().find(({ kind }) => kind === 'create')).toMatchObject({ refused: 1 })
  })

  test('failed work frees its place', async () => {
    const admission = new Admission(limits)
    for (let i = 0; i < 5; i++)
      await expect(admission.run('read', party('t'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(admission.figures().find(({ kind }) => kind === 'read')).toMatchObject({ running: 0, waiting: 0 })
  })
})
