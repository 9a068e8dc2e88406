import { QueryClient } from '@tanstack/react-query'
import type { Task } from '@order-testing/client/operator'
import { describe, expect, test } from 'vitest'
import { foresee } from '../src/api/task-lists.ts'
import { PendingActions } from '../src/shell/pending.ts'
import { newestUndoable, withToast, type Toast } from '../src/shell/toast-list.ts'

const nothing = () => undefined

describe('an action that waits until the time for Undo is over', () => {
  const ofLink = (pending: PendingActions, sent: string[], key = 'link ord_1') =>
    pending.add(key, async (isLeaving) => sent.push(isLeaving ? 'leaving' : key), nothing)

  test('is taken once, however often it is asked for', async () => {
    const [pending, sent] = [new PendingActions(), [] as string[]]
    const first = ofLink(pending, sent)
    expect(ofLink(pending, sent)).toBeUndefined()
    ofLink(pending, sent, 'link ord_2')!.run()
    first!.run()
    first!.run()
    await pending.runAll()
    expect(sent).toEqual(['link ord_2', 'link ord_1'])
  })

  test('is not taken again while it is under way, and is afterwards', async () => {
    const pending = new PendingActions()
    let answer = nothing as () => void
    const answered = new Promise<void>((resolve) => (answer = resolve))
    pending.add('link ord_1', () => answered, nothing)!.run()
    expect(pending.isUnderWay).toBe(true)
    expect(ofLink(pending, [])).toBeUndefined()
    answer()
    await pending.runAll()
    expect(pending.isUnderWay).toBe(false)
    expect(ofLink(pending, [])).toBeDefined()
  })

  test('is done when the page is left, unless it was undone', async () => {
    const [pending, sent] = [new PendingActions(), [] as string[]]
    const waiting = ofLink(pending, sent)!
    ofLink(pending, sent, 'link ord_2')!.cancel()
    await pending.runAll({ isLeaving: true })
    waiting.run()
    await pending.runAll({ isLeaving: true })
    expect(sent).toEqual(['leaving'])
  })

  test('says why it failed', async () => {
    const pending = new PendingActions()
    const failures: unknown[] = []
    const fail = () => Promise.reject(new Error('refused'))
    pending.add('link ord_1', fail, (error) => failures.push(error))!.run()
    await pending.runAll()
    expect(failures).toEqual([new Error('refused')])
  })
})

describe('toasts', () => {
  const toast = (id: number, members: Partial<Toast> = {}): Toast => ({
    id,
    text: '',
    tone: 'good',
    left: 6,
    ...members,
  })
  const idsOf = (shown: Toast[]) => shown.map(({ id }) => id)

  test('only the newest that can be undone answers to the key', () => {
    const shown = [toast(1, { onUndo: nothing }), toast(2, { onUndo: nothing }), toast(3)]
    expect(newestUndoable(shown)?.id).toBe(2)
    expect(newestUndoable([toast(1)])).toBeUndefined()
  })

  test('the oldest make room, but not one whose action is still to be done', () => {
    const shown = [toast(1, { onEnd: nothing }), toast(2), toast(3)]
    expect(idsOf(withToast(shown, toast(4)))).toEqual([1, 3, 4])
    const waiting = [1, 2, 3].map((id) => toast(id, { onEnd: nothing }))
    expect(idsOf(withToast(waiting, toast(4)))).toEqual([1, 2, 3, 4])
  })
})

describe('a change of a task that was shown before the service refused it', () => {
  const key = ['tasks', 'list', 'open', '']
  const task = (id: string) => ({ id, claimedBy: null }) as Task
  function given() {
    const queries = new QueryClient()
    const pages = [{ data: ['a', 'b'].map(task) }, { data: ['c', 'd'].map(task) }]
    queries.setQueryData(key, { pages, pageParams: [1, 2] })
    queries.setQueryData(['tasks', 'one', 'b'], task('b'))
    const ids = () =>
      queries
        .getQueryData<{ pages: { data: Task[] }[] }>(key)!
        .pages.map(({ data }) => data.map(({ id }) => id).join(''))
    return { queries, ids }
  }

  test('a task that left the list returns to its place, and others that left meanwhile stay away', async () => {
    const { queries, ids } = given()
    const restoreB = await foresee(queries, 'b', null)
    await foresee(queries, 'c', null)
    expect(ids()).toEqual(['a', 'd'])
    restoreB()
    expect(ids()).toEqual(['ab', 'd'])
  })

  test('a claim disappears from the list and from the panel', async () => {
    const { queries, ids } = given()
    const restore = await foresee(queries, 'b', { claimedBy: { id: 'me', name: 'Me', isMe: true } })
    expect(queries.getQueryData<Task>(['tasks', 'one', 'b'])!.claimedBy).toMatchObject({ isMe: true })
    restore()
    expect(queries.getQueryData<Task>(['tasks', 'one', 'b'])!.claimedBy).toBeNull()
    expect(JSON.stringify(queries.getQueryData(key))).not.toContain('isMe')
    expect(ids()).toEqual(['ab', 'cd'])
  })
})
