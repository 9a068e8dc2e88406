import { IconBarcode, IconPencil } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { OperatorSender, Token } from '@order-testing/client/operator'
import { useState } from 'react'
import { editSender, sendersQuery } from '../../api/tokens.ts'
import { useWords } from '../../languages/words.tsx'
import { IconButton } from '../../parts/Button.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import { Failure } from '../../parts/States.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { SenderCodes } from './SenderCodes.tsx'
import list from '../../shell/list.module.css'
import css from './tokens.module.css'

/** The senders that a token may report for. */
export function Senders({ token: { id, senders } }: { token: Token }) {
  const { tokens } = useWords()
  const mayWrite = useMay('operator.tokens.write')
  const query = useQuery({ ...sendersQuery(id), enabled: senders !== null })
  const [edited, setEdited] = useState<OperatorSender>()
  const [mapped, setMapped] = useState<string>()
  const mapping = query.data?.data.find((sender) => keyOf(sender) === mapped)
  return (
    <section className={list.section}>
      <h3>{tokens.senders}</h3>
      {senders === null && <p className={list.quiet}>{tokens.anySender}</p>}
      {query.error && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      <ul className={css.scopes}>
        {query.data?.data.map((sender) => (
          <li key={keyOf(sender)} className={css.sender}>
            <div>
              <code>{sender.id}</code> {sender.name !== null && <b>{sender.name}</b>}
              <span>
                {tokens.speaksFor(tokens.senderKinds[sender.role] ?? sender.role, sender.labs?.join(', ') ?? '')}
              </span>
              <span>
                {tokens.zone(sender.timezone ?? 'UTC')} · {tokens.codes(sender.codes.length)}
              </span>
            </div>
            <IconButton label={tokens.openCodes(sender.id)} onClick={() => setMapped(keyOf(sender))}>
              <IconBarcode size={15} />
            </IconButton>
            {mayWrite && sender.token.isEditable && (
              <IconButton label={tokens.editSender(sender.id)} onClick={() => setEdited(sender)}>
                <IconPencil size={15} />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {edited && <SenderDialog sender={edited} onClose={() => setEdited(undefined)} />}
      {mapping && <SenderCodes sender={mapping} onClose={() => setMapped(undefined)} />}
    </section>
  )
}

const keyOf = ({ role, id }: OperatorSender) => `${role}-${id}`

function SenderDialog({ sender, onClose }: { sender: OperatorSender; onClose: () => void }) {
  const words = useWords()
  const { tokens } = words
  const toasts = useToasts()
  const queries = useQueryClient()
  const [name, setName] = useState(sender.name ?? '')
  const [labs, setLabs] = useState(sender.labs?.join(', ') ?? '')
  const [zone, setZone] = useState(sender.timezone ?? '')
  const edit = useDialogChange({
    send: (signal) => {
      const ids = labs.split(',').map((lab) => lab.trim())
      const changed = {
        id: sender.id,
        role: sender.role as 'lab',
        name: name.trim() || null,
        labs: labs.trim() === '' ? null : ids.filter((lab) => lab !== ''),
        timezone: zone.trim() || null,
      }
      return editSender(sender.token.id, changed, signal)
    },
    onSuccess: async () => {
      toasts.tell(tokens.senderSaved)
      onClose()
      await queries.invalidateQueries({ queryKey: ['token', sender.token.id] })
    },
  })
  return (
    <AskDialog
      title={tokens.senderTitle(sender.id)}
      onClose={onClose}
      onConfirm={() => edit.mutate()}
      leave={tokens.keep}
      confirm={tokens.save}
      isBusy={edit.isPending}
      error={edit.error}
    >
      <TextField
        label={tokens.senderName}
        note={tokens.senderNameNote}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={tokens.senderLabs}
        note={tokens.senderLabsNote}
        value={labs}
        onChange={(event) => setLabs(event.target.value)}
      />
      <TextField
        label={tokens.senderZone}
        note={tokens.senderZoneNote}
        value={zone}
        onChange={(event) => setZone(event.target.value)}
      />
    </AskDialog>
  )
}
