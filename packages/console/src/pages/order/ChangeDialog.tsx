import type { ReactNode } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { ChangedMeanwhile, type useVersion } from './ChangedMeanwhile.tsx'
import css from './order.module.css'

interface Props {
  read: ReadOrder
  title: string
  confirm: string
  isReady: boolean
  change: { mutate: () => void; isPending: boolean; error: unknown }
  version: ReturnType<typeof useVersion>
  /** Why it cannot be confirmed yet. */
  hint?: string | undefined
  /** Why it was refused, where parts of it stand beside fields. */
  refusal?: string | undefined
  onClose: () => void
  children: ReactNode
}

/** A dialog that changes an order and can be undone by another change, so it asks for no code. */
export function ChangeDialog({ read, change, version, refusal, children, ...rest }: Props) {
  const words = useWords()
  const { code, participant } = read.order
  return (
    <AskDialog
      {...rest}
      subtitle={
        <>
          <code className={css.dialogCode}>{code}</code> · {participant?.name}
        </>
      }
      onConfirm={() => change.mutate()}
      leave={words.book.keep}
      isBusy={change.isPending}
      error={version.newer ? undefined : change.error}
      refusal={version.newer ? undefined : refusal}
    >
      <ChangedMeanwhile {...version} />
      {children}
    </AskDialog>
  )
}
