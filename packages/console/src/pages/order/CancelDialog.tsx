import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cancelOrder, keepChanged, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextArea, TextField } from '../../parts/Field.tsx'
import { useRefusal } from '../../parts/States.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { ChangedMeanwhile, useVersion } from './ChangedMeanwhile.tsx'
import css from './order.module.css'

export function CancelDialog({ read, onClose }: { read: ReadOrder; onClose: () => void }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const { code, id, participant } = read.order
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const version = useVersion(read)
  const cancel = useDialogChange({
    onError: version.onError,
    send: (signal) => cancelOrder(id, { reason: reason.trim(), basedOn: version.basedOn }, signal),
    onSuccess: async (changed) => {
      await keepChanged(queries, changed)
      toasts.tell(words.cancel.cancelled(code))
      onClose()
    },
  })
  const isReady = typed === code && reason.trim() !== ''
  const refused = useRefusal(cancel.error, ['/reason'], read.timezone)
  const left = code.length - typed.length
  return (
    <AskDialog
      title={words.cancel.title}
      subtitle={
        <>
          <code className={css.dialogCode}>{code}</code> · {participant?.name}
        </>
      }
      onClose={onClose}
      onConfirm={() => cancel.mutate()}
      leave={words.cancel.keep}
      confirm={words.cancel.confirm}
      look="dangerFilled"
      isReady={isReady}
      isBusy={cancel.isPending}
      error={version.newer ? undefined : cancel.error}
      refusal={version.newer ? undefined : refused.rest}
    >
      <ChangedMeanwhile {...version} />
      <p>{words.cancel.effect}</p>
      <TextArea
        label={words.cancel.reason}
        data-autofocus
        maxLength={255}
        value={reason}
        note={words.move.reasonNote}
        error={refused.at('/reason')}
        onChange={(event) => setReason(event.target.value)}
      />
      <TextField
        label={words.move.typeCode}
        autoComplete="off"
        spellCheck={false}
        placeholder={code}
        value={typed}
        end={left > 0 ? words.move.left(left) : undefined}
        onChange={(event) => setTyped(event.target.value.toUpperCase().slice(0, code.length))}
      />
    </AskDialog>
  )
}
