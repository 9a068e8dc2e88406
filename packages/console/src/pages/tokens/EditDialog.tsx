import { useQueryClient } from '@tanstack/react-query'
import type { Token, TokenChange } from '@order-testing/client/operator'
import { useState } from 'react'
import { editToken, tokenQuery } from '../../api/tokens.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { useRefusal } from '../../parts/States.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { kindOf } from './scopes.ts'
import { dayOf, endOfDay, TOKEN_POINTERS, TokenForm, type Draft } from './TokenForm.tsx'
import css from './tokens.module.css'

/** Changes what a token may do. Only members that were changed are sent. */
export function EditDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const words = useWords()
  const { tokens } = words
  const toasts = useToasts()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(token))
  const changes = changesOf(draft, token)
  const edit = useDialogChange({
    send: (signal) => editToken(token.id, changes, signal),
    onSuccess: async (changed) => {
      queries.setQueryData(tokenQuery(token.id).queryKey, (known) => known && { ...known, ...changed })
      toasts.tell(tokens.saved)
      onClose()
      await queries.invalidateQueries({ queryKey: ['tokens'] })
      await queries.invalidateQueries({ queryKey: ['token', token.id] })
    },
  })
  const isReady = Object.keys(changes).length > 0 && draft.name.trim() !== '' && draft.scopes.length > 0
  const refused = useRefusal(edit.error, TOKEN_POINTERS)
  return (
    <AskDialog
      title={tokens.editTitle}
      subtitle={<code>{token.id}</code>}
      size={620}
      onClose={onClose}
      onConfirm={() => edit.mutate()}
      leave={tokens.keep}
      confirm={tokens.save}
      isReady={isReady}
      isBusy={edit.isPending}
      error={edit.error}
      refusal={refused.rest}
      hint={draft.scopes.length === 0 ? tokens.chooseScope : undefined}
    >
      <p className={css.note}>{tokens.editNote}</p>
      <TokenForm
        draft={draft}
        kind={kindOf(token.scopes)}
        errorAt={refused.at}
        onChange={(changed) => setDraft((now) => ({ ...now, ...changed }))}
      />
    </AskDialog>
  )
}

const draftOf = ({ name, scopes, companies, expiresAt, rateLimit }: Token): Draft => ({
  name,
  scopes,
  companies,
  expires: dayOf(expiresAt),
  rateLimit: rateLimit === null ? '' : String(rateLimit),
})

function changesOf(draft: Draft, token: Token): TokenChange {
  const was = draftOf(token)
  return {
    ...(draft.name.trim() !== was.name && { name: draft.name.trim() }),
    ...(!isSame(draft.scopes, was.scopes) && { scopes: draft.scopes as NonNullable<TokenChange['scopes']> }),
    ...(!isSame(draft.companies, was.companies) && { companies: draft.companies }),
    ...(draft.expires !== was.expires && { expiresAt: draft.expires === '' ? null : endOfDay(draft.expires) }),
    ...(draft.rateLimit !== was.rateLimit && { rateLimit: draft.rateLimit === '' ? null : Number(draft.rateLimit) }),
  }
}

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((value) => b.includes(value))
