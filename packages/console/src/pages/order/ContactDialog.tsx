import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeContact, keepChanged, readAgain, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { TextArea, TextField } from '../../parts/Field.tsx'
import { useRefusal } from '../../parts/States.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import { useVersion } from './ChangedMeanwhile.tsx'

interface Props {
  read: ReadOrder
  onClose: () => void
  /** What follows, instead of closing. */
  onChanged?: (() => void) | undefined
}

export function ContactDialog({ read, onClose, onChanged = onClose }: Props) {
  const words = useWords()
  const { contact: texts } = words.today
  const toasts = useToasts()
  const queries = useQueryClient()
  const { id, participant } = read.order
  const [email, setEmail] = useState('')
  const [phone, setPhone] = useState('')
  const [reason, setReason] = useState('')
  const version = useVersion(read, () => readAgain(queries, read.order))
  const change = useDialogChange({
    onError: version.onError,
    send: (signal) => {
      const changed = {
        ...(email.trim() && { email: email.trim() }),
        ...(phone.trim() && { phone: phone.trim() }),
      }
      return changeContact(id, { ...changed, reason: reason.trim(), basedOn: version.basedOn }, signal)
    },
    onSuccess: async (changed) => {
      await keepChanged(queries, changed)
      toasts.tell(texts.changed)
      onChanged()
    },
  })
  const refused = useRefusal(change.error, ['/email', '/phone', '/reason'], read.timezone)
  return (
    <ChangeDialog
      read={read}
      title={texts.title}
      confirm={texts.confirm}
      isReady={(email.trim() !== '' || phone.trim() !== '') && reason.trim() !== ''}
      change={change}
      version={version}
      refusal={refused.rest}
      onClose={onClose}
    >
      <p>
        {texts.effect} {texts.limit}
      </p>
      <TextField
        label={texts.email}
        data-autofocus
        type="email"
        autoComplete="off"
        value={email}
        placeholder={participant?.email ?? ''}
        error={refused.at('/email')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={texts.phone}
        type="tel"
        autoComplete="off"
        value={phone}
        placeholder={participant?.phone ?? ''}
        note={texts.note}
        error={refused.at('/phone')}
        onChange={(event) => setPhone(event.target.value)}
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
