import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { extendOrder, keepChanged, readAgain, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { TextArea, TextField } from '../../parts/Field.tsx'
import { useRefusal } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { useVersion } from './ChangedMeanwhile.tsx'

const [FEWEST_DAYS, MOST_DAYS, USUAL_DAYS] = [1, 90, 14]

export function ExtendDialog({ read, onClose }: { read: ReadOrder; onClose: () => void }) {
  const words = useWords()
  const { extend: texts } = words.today
  const toasts = useToasts()
  const queries = useQueryClient()
  const { id, expiresAt } = read.order
  const [typed, setTyped] = useState(String(USUAL_DAYS))
  const [reason, setReason] = useState('')
  const days = Number(typed)
  const isPossible = Number.isInteger(days) && days >= FEWEST_DAYS && days <= MOST_DAYS
  const momentOf = (at: string | null) => (at === null ? undefined : times.moment(words, new Date(at), read.timezone))
  const version = useVersion(read, () => readAgain(queries, read.order))
  const extend = useDialogChange({
    onError: version.onError,
    send: (signal) => extendOrder(id, { days, reason: reason.trim(), basedOn: version.basedOn }, signal),
    onSuccess: async (changed) => {
      await keepChanged(queries, changed)
      toasts.tell(texts.extended(momentOf(changed.order.expiresAt) ?? words.none))
      onClose()
    },
  })
  const now = momentOf(expiresAt)
  const refused = useRefusal(extend.error, ['/days', '/expiresAt', '/reason'], read.timezone)
  return (
    <ChangeDialog
      read={read}
      title={texts.title}
      confirm={typed.trim() === '' || !Number.isFinite(days) ? texts.confirmAny : texts.confirm(days)}
      isReady={isPossible && reason.trim() !== ''}
      change={extend}
      version={version}
      refusal={refused.rest}
      hint={!isPossible ? texts.daysNote : reason.trim() === '' ? texts.reasonMissing : undefined}
      onClose={onClose}
    >
      <p>
        {now === undefined ? texts.never : texts.now(now)}. {texts.effect}
      </p>
      <TextField
        label={texts.days}
        data-autofocus
        type="number"
        min={FEWEST_DAYS}
        max={MOST_DAYS}
        value={typed}
        note={texts.daysNote}
        error={isPossible ? refused.at('/days', '/expiresAt') : texts.daysNote}
        onChange={(event) => setTyped(event.target.value)}
      />
      <TextArea
        label={texts.reason}
        maxLength={1000}
        value={reason}
        note={words.move.reasonNote}
        error={refused.at('/reason')}
        onChange={(event) => setReason(event.target.value)}
      />
    </ChangeDialog>
  )
}
