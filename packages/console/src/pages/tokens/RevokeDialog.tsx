import { useQueryClient } from '@tanstack/react-query'
import type { Token } from '@order-testing/client/operator'
import { useState } from 'react'
import { revokeToken, tokenQuery } from '../../api/tokens.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { kindOf } from './scopes.ts'
import css from './tokens.module.css'

type Answer = 'keep' | 'end'

/** Tokens of integrators may have registered callbacks, so somebody has to say what becomes of them. */
export function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const words = useWords()
  const { tokens } = words
  const toasts = useToasts()
  const queries = useQueryClient()
  const asks = kindOf(token.scopes) === 'integrator'
  const [answer, setAnswer] = useState<Answer>()
  const [typed, setTyped] = useState('')
  const revoke = useDialogChange({
    send: (signal) => revokeToken(token.id, answer, signal),
    onSuccess: async (revoked) => {
      queries.setQueryData(tokenQuery(token.id).queryKey, (known) => known && { ...known, ...revoked })
      toasts.tell(tokens.wasRevoked(token.name))
      onClose()
      await queries.invalidateQueries({ queryKey: ['tokens'] })
      await queries.invalidateQueries({ queryKey: ['token', token.id] })
    },
  })
  const isReady = typed === token.name && (!asks || answer !== undefined)
  return (
    <AskDialog
      title={tokens.revokeTitle}
      subtitle={token.name}
      onClose={onClose}
      onConfirm={() => revoke.mutate()}
      leave={tokens.revokeKeep}
      confirm={tokens.revokeConfirm}
      look="dangerFilled"
      isReady={isReady}
      isBusy={revoke.isPending}
      error={revoke.error}
    >
      <p>{tokens.revokeEffect}</p>
      {asks && <CallbackAnswer answer={answer} onAnswer={setAnswer} />}
      <TextField
        label={tokens.typeName}
        autoComplete="off"
        spellCheck={false}
        placeholder={token.name}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </AskDialog>
  )
}

function CallbackAnswer({ answer, onAnswer }: { answer: Answer | undefined; onAnswer: (answer: Answer) => void }) {
  const { tokens } = useWords()
  const labels = { keep: tokens.callbackKeep, end: tokens.callbackEnd }
  return (
    <fieldset className={css.choices}>
      <legend>{tokens.callbacks}</legend>
      {(['keep', 'end'] as const).map((value) => (
        <label key={value} className={css.answer}>
          <input type="radio" name="callbacks" checked={answer === value} onChange={() => onAnswer(value)} />
          <span>
            {labels[value]}
            <small>{tokens.callbackNotes[value]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
