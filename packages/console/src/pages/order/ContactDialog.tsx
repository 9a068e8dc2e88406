import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeContact, keepChanged, type ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { TextArea, TextField } from '../../parts/Field.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'

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
  const change = useMutation({
    mutationFn: () =>
      changeContact(id, {
        ...(email.trim() && { email: email.trim() }),
        ...(phone.trim() && { phone: phone.trim() }),
        reason: reason.trim(),
      }),
    onSuccess: async (changed) => {
      await keepChanged(queries, changed)
      toasts.tell(texts.changed)
      onChanged()
    },
  })
  return (
    <ChangeDialog
      read={read}
      title={texts.title}
      confirm={texts.confirm}
      isReady={(email.trim() !== '' || phone.trim() !== '') && reason.trim() !== ''}
      change={change}
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
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={texts.phone}
        type="tel"
        autoComplete="off"
        value={phone}
        placeholder={participant?.phone ?? ''}
        note={texts.note}
        onChange={(event) => setPhone(event.target.value)}
      />
      <TextArea
        label={texts.reason}
        maxLength={1000}
        value={reason}
        note={words.move.reasonNote}
        onChange={(event) => setReason(event.target.value)}
      />
    </ChangeDialog>
  )
}
