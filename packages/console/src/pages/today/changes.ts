import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { statusOf } from '../../api/failures.ts'
import { foresee } from '../../api/task-lists.ts'
import { claimTask, finishTask, releaseTask, reopenTask, snoozeTask, type Task } from '../../api/tasks.ts'
import { useWords } from '../../languages/words.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import * as times from '../../parts/times.ts'
import { useSession } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { reasonOf } from './facts.ts'
import { bringBack } from './returned.ts'

export interface TaskChanges {
  /** Claims, takes over or releases, whichever is next. */
  claim: (task: Task) => void
  snooze: (task: Task, until: Date | null) => void
  finish: (task: Task) => void
  reopen: (task: Task) => void
}

interface Change {
  id: string
  /** How the task looks afterwards; null if it leaves the list. */
  shown: Partial<Task> | null
  send: () => Promise<unknown>
  /** What is said if the service refuses it. */
  refused: string
  /** What is said at once, and how it is undone. */
  told?: { text: string; undo: () => void } | undefined
}

/** Changes show at once. What was not done is taken back, together with the offer to undo it, and said. */
export function useTaskChanges(): TaskChanges {
  const words = useWords()
  const { user } = useSession()
  const change = useChange()
  return useMemo(() => {
    const { today } = words
    const nameOf = (task: Task) => [reasonOf(task, words), task.order?.code].filter(Boolean).join(' ')
    const mine = { claimedBy: { id: user.id, name: user.name, isMe: true } }
    const take = (id: string, takeOver: boolean, told?: Change['told']) =>
      change({ id, shown: mine, send: () => claimTask(id, takeOver), refused: today.claimedMeanwhile, told })
    const release = (id: string, told?: Change['told']) =>
      change({ id, shown: { claimedBy: null }, send: () => releaseTask(id), refused: today.claimedMeanwhile, told })
    const reopen = ({ id }: Task) => change({ id, shown: null, send: () => reopenTask(id), refused: today.gone })
    const snooze = (id: string, until: string | null, told?: Change['told']) =>
      change({ id, shown: null, send: () => snoozeTask(id, until), refused: today.snoozeNote, told })
    return {
      claim: (task) => {
        const { id, claimedBy } = task
        if (claimedBy?.isMe === true) release(id, { text: today.released(nameOf(task)), undo: () => take(id, false) })
        // What was taken over cannot be given back: only its owner can claim it again.
        else if (claimedBy !== null) take(id, true)
        else take(id, false, { text: today.claimed(nameOf(task)), undo: () => release(id) })
      },
      snooze: ({ id, snoozedUntil }, until) => {
        if (!until) return snooze(id, null)
        const undo = () => {
          bringBack(id)
          snooze(id, snoozedUntil)
        }
        return snooze(id, until.toISOString(), { text: today.snoozed(times.inZone(words, until)), undo })
      },
      finish: (task) => {
        const undo = () => {
          bringBack(task.id)
          reopen(task)
        }
        const told = { text: today.finished(nameOf(task)), undo }
        change({ id: task.id, shown: null, send: () => finishTask(task.id), refused: today.gone, told })
      },
      reopen,
    }
  }, [change, words, user])
}

/** Undo waits for what it undoes, and does nothing if that was not done. */
function useChange(): (change: Change) => void {
  const queries = useQueryClient()
  const toasts = useToasts()
  const words = useWords()
  return useMemo(() => {
    const attempt = async ({ id, shown, send, refused }: Change, withdraw?: () => void) => {
      const restore = await foresee(queries, id, shown)
      try {
        await send()
        return true
      } catch (error) {
        if (shown === null) bringBack(id)
        restore()
        withdraw?.()
        const known: Record<number, string> = { 404: words.today.gone, 422: refused }
        toasts.warn(known[statusOf(error) ?? 0] ?? sentenceOf(error, words))
        return false
      } finally {
        await queries.invalidateQueries({ queryKey: ['tasks'] })
      }
    }
    return (change) => {
      const { told } = change
      const undo = async () => (await isDone) && told?.undo()
      const withdraw = told && toasts.tellUndoable(told.text, () => void undo())
      const isDone = attempt(change, withdraw)
    }
  }, [queries, toasts, words])
}
