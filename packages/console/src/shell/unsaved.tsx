import { useBlocker } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { AskDialog } from '../parts/AskDialog.tsx'

interface Place {
  pathname: string
  search: Record<string, unknown>
}

interface Unsaved {
  /** Leaves, after asking if something is unsaved. */
  leave: (go: () => void) => void
  /** Lets the next navigation pass: what was typed is saved. */
  release: () => void
  /** The question, while it is asked. */
  question: ReactNode
}

/** Asks before what was typed is thrown away: on the way to another address, on closing the page, and when `leave` is called. */
export function useUnsaved(isUnsaved: boolean, keeps: (current: Place, next: Place) => boolean = () => false): Unsaved {
  const [going, setGoing] = useState<{ go: () => void }>()
  const isReleased = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => !isReleased.current && !keeps(current as Place, next as Place),
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  })
  const isAsking = going !== undefined || blocker.status === 'blocked'
  const stay = () => {
    setGoing(undefined)
    blocker.reset?.()
  }
  const proceed = () => {
    isReleased.current = true
    setGoing(undefined)
    going?.go()
    blocker.proceed?.()
  }
  return {
    leave: (go) => {
      // Escape reaches the dialog beneath the question too.
      if (isAsking) return
      if (isUnsaved) setGoing({ go })
      else go()
    },
    release: () => {
      isReleased.current = true
    },
    question: isAsking && <Question onStay={stay} onLeave={proceed} />,
  }
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { unsaved } = useWords()
  return (
    <AskDialog
      title={unsaved.title}
      size={420}
      leave={unsaved.stay}
      confirm={unsaved.leave}
      look="dangerFilled"
      onClose={onStay}
      onConfirm={onLeave}
    >
      <p>{unsaved.detail}</p>
    </AskDialog>
  )
}
