import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { InvitedUser } from '@order-testing/client/operator'
import { useState } from 'react'
import { invitePerson, ROLES, rolesQuery, type RoleId } from '../../api/people.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { CopyField } from '../../parts/CopyField.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import { useRefusal } from '../../parts/States.tsx'
import { Select } from '../../parts/Select.tsx'
import * as times from '../../parts/times.ts'
import { useDialogChange } from '../../shell/dialog-change.ts'
import list from '../../shell/list.module.css'

/** Invites a person, and then shows the link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const { people } = words
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<RoleId>('coordinator')
  const invite = useDialogChange({
    send: (signal) => invitePerson({ email: email.trim(), name: name.trim(), role }, signal),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const isReady = /.@./.test(email) && name.trim() !== ''
  const refused = useRefusal(invite.error, ['/email', '/name'])
  if (invite.data) return <LinkDialog invited={invite.data} onClose={onClose} />
  return (
    <AskDialog
      title={people.inviteTitle}
      onClose={onClose}
      onConfirm={() => invite.mutate()}
      leave={people.keep}
      confirm={people.inviteConfirm}
      isReady={isReady}
      isBusy={invite.isPending}
      error={invite.error}
      refusal={refused.rest}
    >
      <TextField
        label={people.email}
        type="email"
        autoComplete="off"
        data-autofocus
        value={email}
        error={refused.at('/email')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={people.name}
        autoComplete="off"
        maxLength={120}
        value={name}
        error={refused.at('/name')}
        onChange={(event) => setName(event.target.value)}
      />
      <RoleChoice role={role} onChange={setRole} />
      <p className={list.quiet}>{people.inviteNote}</p>
    </AskDialog>
  )
}

/** The roles, each with what it allows. */
export function RoleChoice({ role, onChange }: { role: RoleId; onChange: (role: RoleId) => void }) {
  const { people, roles } = useWords()
  const known = useQuery(rolesQuery)
  const description = known.data?.data.find(({ id }) => id === role)?.description
  return (
    <div>
      <Select
        label={people.role}
        options={ROLES.map((value) => ({ value, label: roles[value] ?? value }))}
        value={role}
        onChange={onChange}
      />
      <p className={list.quiet}>{description}</p>
    </div>
  )
}

/** The link of an invitation is shown only once. */
export function LinkDialog({ invited: { name, invitation }, onClose }: { invited: InvitedUser; onClose: () => void }) {
  const words = useWords()
  const { people } = words
  return (
    <Dialog
      title={people.linkTitle(name)}
      onClose={onClose}
      footer={
        <>
          <span>{people.until(times.moment(words, new Date(invitation.expiresAt)))}</span>
          <Button size="form" onClick={onClose}>
            {people.done}
          </Button>
        </>
      }
    >
      <p>{invitation.isMailed ? people.mailed : people.notMailed}</p>
      <CopyField label={people.link} value={invitation.url} />
      <p className={list.quiet}>{people.once}</p>
    </Dialog>
  )
}
