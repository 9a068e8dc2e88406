import type { User } from '@order-testing/client/operator'
import { useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
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
    <Dialog
      title={people.deactivateTitle}
      subtitle={person.name}
      onClose={onClose}
      onConfirm={isReady ? onConfirm : undefined}
      footer={
        <>
          <span />
          <Button size="form" keys="escape" onClick={onClose}>
            {people.keep}
          </Button>
          <Button size="form" look="dangerFilled" keys="mod+enter" disabled={!isReady} onClick={onConfirm}>
            {people.deactivateTitle}
          </Button>
        </>
      }
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
    </Dialog>
  )
}
