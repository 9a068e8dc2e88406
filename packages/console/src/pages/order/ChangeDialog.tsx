import type { ReactNode } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { sentenceOf } from '../../parts/States.tsx'
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
  const run = () => {
    if (isReady && !change.isPending) change.mutate()
  }
  return (
    <Dialog
      title={title}
      subtitle={
        <>
          <code className={css.dialogCode}>{code}</code> · {participant?.name}
        </>
      }
      onClose={onClose}
      onConfirm={run}
      footer={
        <>
          {change.error ? (
            <span role="alert" className={css.problem}>
              {sentenceOf(change.error, words)}
            </span>
          ) : (
            <span />
          )}
          <Button size="form" keys="escape" onClick={onClose}>
            {words.book.keep}
          </Button>
          <Button
            size="form"
            look="filled"
            keys="mod+enter"
            disabled={!isReady}
            isBusy={change.isPending}
            onClick={run}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
