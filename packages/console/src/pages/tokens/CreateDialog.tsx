import { useQueryClient } from '@tanstack/react-query'
import type { IssuedToken, TokenRequest } from '@order-testing/client/operator'
import { useState } from 'react'
import { createToken } from '../../api/tokens.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { CopyField } from '../../parts/CopyField.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { Choice } from '../../parts/Field.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import type { TokenKind } from './scopes.ts'
import { useRefusal } from '../../parts/States.tsx'
import { endOfDay, TOKEN_POINTERS, TokenForm, type Draft } from './TokenForm.tsx'
import css from './tokens.module.css'

const EMPTY: Draft = { name: '', scopes: [], companies: [], expires: '', rateLimit: '' }

/** Issues a token, and then shows its secret once. */
export function CreateDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const [issued, setIssued] = useState<IssuedToken>()
  if (!issued) return <NewToken onClose={onClose} onIssued={setIssued} />
  return (
    <SecretDialog
      token={issued}
      onClose={() => {
        onCreated(issued.id)
        onClose()
      }}
    />
  )
}

function NewToken({ onClose, onIssued }: { onClose: () => void; onIssued: (token: IssuedToken) => void }) {
  const words = useWords()
  const { tokens } = words
  const queries = useQueryClient()
  const [kind, setKind] = useState<TokenKind>('integrator')
  const [draft, setDraft] = useState(EMPTY)
  const create = useDialogChange({
    send: (signal) => createToken(requestOf(draft, kind), signal),
    onSuccess: async (token) => {
      onIssued(token)
      await queries.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
  const refused = useRefusal(create.error, TOKEN_POINTERS)
  const isReady = draft.name.trim() !== '' && draft.scopes.length > 0
  return (
    <AskDialog
      title={tokens.createTitle}
      size={620}
      onClose={onClose}
      onConfirm={() => create.mutate()}
      leave={tokens.keep}
      confirm={tokens.createConfirm}
      isReady={isReady}
      isBusy={create.isPending}
      error={create.error}
      refusal={refused.rest}
      hint={draft.scopes.length === 0 ? tokens.chooseScope : undefined}
    >
      <Choice
        look="segments"
        label={tokens.kind}
        options={(['integrator', 'staff'] as const).map((value) => ({ value, label: tokens.kinds[value] }))}
        value={kind}
        onChange={(chosen) => {
          setKind(chosen)
          setDraft((now) => ({ ...now, scopes: [], companies: [] }))
        }}
      />
      <TokenForm
        draft={draft}
        kind={kind}
        errorAt={refused.at}
        companiesNote={tokens.companiesNote}
        onChange={(changes) => setDraft((now) => ({ ...now, ...changes }))}
      />
    </AskDialog>
  )
}

function requestOf({ name, scopes, companies, expires, rateLimit }: Draft, kind: TokenKind): TokenRequest {
  return {
    name: name.trim(),
    scopes: scopes as TokenRequest['scopes'],
    ...(kind === 'integrator' && companies.length > 0 && { companies }),
    ...(expires !== '' && { expiresAt: endOfDay(expires) }),
    ...(rateLimit !== '' && { rateLimit: Number(rateLimit) }),
  }
}

/** Closing it without a copy would lose the secret. */
function SecretDialog({ token, onClose }: { token: IssuedToken; onClose: () => void }) {
  const { tokens } = useWords()
  const [isCopied, setCopied] = useState(false)
  const [isWarned, setWarned] = useState(false)
  return (
    <Dialog
      title={tokens.issuedTitle}
      subtitle={token.name}
      onClose={() => (isCopied ? onClose() : setWarned(true))}
      footer={
        <>
          <span role="alert">{isWarned && !isCopied ? tokens.copyFirst : ''}</span>
          <Button size="form" onClick={onClose}>
            {tokens.done}
          </Button>
        </>
      }
    >
      <CopyField label={tokens.secret} value={token.secret} onCopied={() => setCopied(true)} />
      <p className={css.note}>{tokens.issuedNote}</p>
    </Dialog>
  )
}
