import { useState, type ReactNode } from 'react'
import type { Task } from '../../api/tasks.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { useTaskChanges } from './changes.ts'

/** Finishes a task, at once or, if somebody else works on it, after asking. */
export function useFinish(onFinished: (task: Task) => void): { finish: (task: Task) => void; dialog: ReactNode } {
  const { today } = useWords()
  const changes = useTaskChanges()
  const [asked, setAsked] = useState<Task>()
  const finish = (task: Task) => {
    setAsked(undefined)
    changes.finish(task)
    onFinished(task)
  }
  const isOfAnother = ({ claimedBy }: Task) => claimedBy !== null && !claimedBy.isMe
  return {
    finish: (task) => (isOfAnother(task) ? setAsked(task) : finish(task)),
    dialog: asked && (
      <AskDialog
        title={today.finishTitle}
        size={420}
        leave={today.finishKeep}
        confirm={today.done}
        onClose={() => setAsked(undefined)}
        onConfirm={() => finish(asked)}
      >
        <p>{today.finishAsk(asked.claimedBy?.name ?? today.somebody)}</p>
      </AskDialog>
    ),
  }
}
