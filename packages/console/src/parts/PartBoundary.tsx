import { CatchBoundary } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { Dialog } from './Dialog.tsx'
import { Failure } from './States.tsx'

/** A part that is loaded when it is opened. If that fails, it says so in a dialog and leaves the page as it is. */
export function PartBoundary({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { states } = useWords()
  const NotLoaded = ({ error }: { error: unknown }) => (
    <Dialog title={states.failed} onClose={onClose} footer={null}>
      <Failure error={error} detail={states.unreachable} />
    </Dialog>
  )
  return (
    <CatchBoundary getResetKey={() => 'part'} errorComponent={NotLoaded}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  )
}
