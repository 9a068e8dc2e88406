import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { claimTask, finishTask, foresee, releaseTask, reopenTask, snoozeTask, type Task } from '../../api/tasks.ts'
import { useWords } from '../../languages/words.tsx'
import { sentenceOf } from '../../parts/States.tsx'
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

/** Changes show at once. What the service refuses is taken back, and said. */
export function useTaskChanges(): TaskChanges {
  const queries = useQueryClient()
  const toasts = useToasts()
  const words = useWords()
  const { user } = useSession()
  return useMemo(() => {
    const change = async (id: string, shown: Partial<Task> | null, send: () => Promise<unknown>) => {
      await foresee(queries, id, shown)
      try {
        await send()
      } catch (error) {
        toasts.warn(sentenceOf(error, words))
      }
      await queries.invalidateQueries({ queryKey: ['tasks'] })
    }
    const nameOf = (task: Task) => [reasonOf(task, words), task.order?.code].filter(Boolean).join(' ')
    const reopen = ({ id }: Task) => void change(id, null, () => reopenTask(id))
    return {
      claim: (task) => {
        const { id, claimedBy } = task
        const take = () =>
          change(id, { claimedBy: { id: user.id, name: user.name, isMe: true } }, () =>
            claimTask(id, claimedBy !== null),
          )
        const release = () => change(id, { claimedBy: null }, () => releaseTask(id))
        if (claimedBy?.isMe === true) {
          const released = release()
          toasts.tellUndoable(words.today.released(nameOf(task)), () => void released.then(take))
          return
        }
        const taken = take()
        // What was taken over cannot be given back: only its owner can claim it again.
        if (claimedBy === null) toasts.tellUndoable(words.today.claimed(nameOf(task)), () => void taken.then(release))
      },
      snooze: ({ id, snoozedUntil }, until) => {
        const snoozed = change(id, null, () => snoozeTask(id, until?.toISOString() ?? null))
        if (!until) return
        const undo = () => {
          bringBack(id)
          void snoozed.then(() => change(id, null, () => snoozeTask(id, snoozedUntil)))
        }
        toasts.tellUndoable(words.today.snoozed(times.inZone(words, until)), undo)
      },
      finish: (task) => {
        const finished = change(task.id, null, () => finishTask(task.id))
        // Undo waits for what it undoes.
        toasts.tellUndoable(words.today.finished(nameOf(task)), () => {
          bringBack(task.id)
          void finished.then(() => reopen(task))
        })
      },
      reopen,
    }
  }, [queries, toasts, words, user])
}
