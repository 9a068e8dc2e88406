import type { ReactNode } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import css from './order.module.css'

interface Props {
  read: ReadOrder
  title: string
  confirm: string
  isReady: boolean
  change: { mutate: () => void; isPending: boolean; error: unknown }
  onClose: () => void
  children: ReactNode
}

/** A dialog that changes an order and can be undone by another change, so it asks for no code. */
export function ChangeDialog({ read, title, confirm, isReady, change, onClose, children }: Props) {
  const words = useWords()
  const { code, participant } = read.order
  return (
    <AskDialog
      title={title}
      subtitle={
        <>
          <code className={css.dialogCode}>{code}</code> · {participant?.name}
        </>
      }
      onClose={onClose}
      onConfirm={() => change.mutate()}
      leave={words.book.keep}
      confirm={confirm}
      isReady={isReady}
      isBusy={change.isPending}
      error={change.error}
    >
      {children}
    </AskDialog>
  )
}
