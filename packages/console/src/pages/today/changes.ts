import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { claimTask, finishTask, foresee, releaseTask, reopenTask, snoozeTask, type Task } from '../../api/tasks.ts'
import { useWords } from '../../languages/words.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import { useSession } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { reasonOf } from './facts.ts'

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
    const reopen = ({ id }: Task) => void change(id, null, () => reopenTask(id))
    return {
      claim: ({ id, claimedBy }) =>
        claimedBy?.isMe === true
          ? void change(id, { claimedBy: null }, () => releaseTask(id))
          : void change(id, { claimedBy: { id: user.id, name: user.name, isMe: true } }, () =>
              claimTask(id, claimedBy !== null),
            ),
      snooze: ({ id }, until) => {
        void change(id, null, () => snoozeTask(id, until?.toISOString() ?? null))
        if (until) toasts.tell(words.today.snoozed(times.inZone(words, until)))
      },
      finish: (task) => {
        const finished = change(task.id, null, () => finishTask(task.id))
        const what = [reasonOf(task, words), task.order?.code].filter(Boolean).join(' ')
        // Undo waits for what it undoes.
        toasts.tellUndoable(words.today.finished(what), () => void finished.then(() => reopen(task)))
      },
      reopen,
    }
  }, [queries, toasts, words, user])
}
