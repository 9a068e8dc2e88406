import type { User } from '@order-testing/client/operator'
import { useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextField } from '../../parts/Field.tsx'

interface Props {
  person: User
  onClose: () => void
  onConfirm: () => void
}

export function DeactivateDialog({ person, onClose, onConfirm }: Props) {
  const { people } = useWords()
  const [typed, setTyped] = useState('')
  const isReady = typed.trim().toLowerCase() === person.email.toLowerCase()
  return (
    <AskDialog
      title={people.deactivateTitle}
      subtitle={person.name}
      onClose={onClose}
      onConfirm={onConfirm}
      leave={people.keep}
      confirm={people.deactivateTitle}
      look="dangerFilled"
      isReady={isReady}
    >
      <p>{people.deactivateEffect}</p>
      <TextField
        label={people.typeEmail}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        placeholder={person.email}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </AskDialog>
  )
}
