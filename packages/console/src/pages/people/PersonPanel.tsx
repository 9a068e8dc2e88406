import { IconLogout, IconMail, IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { User, UserChange } from '@order-testing/client/operator'
import { useState } from 'react'
import { changePerson, personQuery, reinvitePerson, signOutPerson, type RoleId } from '../../api/people.ts'
import { useWords } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Failure, sentenceOf, SlowNotice } from '../../parts/States.tsx'
import { Time } from '../../parts/Time.tsx'
import { SidePanel } from '../../shell/ListTable.tsx'
import { useMay, useSession } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { DeactivateDialog } from './DeactivateDialog.tsx'
import { LinkDialog, RoleChoice } from './InviteDialog.tsx'
import { PersonState } from './PersonState.tsx'
import list from '../../shell/list.module.css'

export function PersonPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords()
  const person = useQuery(personQuery(id))
  const mayWrite = useMay('operator.users.write')
  const { data } = person
  return (
    <SidePanel
      label={words.people.person}
      head={
        <>
          <h2>{data?.name ?? words.people.person}</h2>
          {data && <PersonState state={data.state} />}
          <span className={list.space} />
          <IconButton label={words.actions.close} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
        </>
      }
    >
      {person.error && !data ? (
        <Failure error={person.error} onRetry={() => void person.refetch()} />
      ) : data ? (
        <>
          <Facts person={data} />
          {mayWrite && <Changes person={data} />}
        </>
      ) : (
        <SlowNotice />
      )}
    </SidePanel>
  )
}

function Facts({ person }: { person: User }) {
  const { people, roles } = useWords()
  return (
    <section className={list.section}>
      <dl className={list.pairs}>
        <dt>{people.email}</dt>
        <dd>{person.email}</dd>
        <dt>{people.role}</dt>
        <dd>{roles[person.role] ?? person.role}</dd>
        <dt>{people.passkeys}</dt>
        <dd>{person.passkeys}</dd>
        <dt>{people.oidc}</dt>
        <dd>{person.hasOidc ? people.uses : people.unused}</dd>
        <dt>{people.lastSignIn}</dt>
        <dd>{person.lastSignInAt === null ? people.never : <Time at={person.lastSignInAt} />}</dd>
        <dt>{people.added}</dt>
        <dd>
          <Time at={person.createdAt} />
        </dd>
      </dl>
    </section>
  )
}

/** People cannot lock themselves out: the service refuses it, so it is not offered. */
function Changes({ person }: { person: User }) {
  const { people } = useWords()
  const { user } = useSession()
  const isOwn = user.id === person.id
  return (
    <>
      {isOwn ? <p className={list.section}>{people.ownRole}</p> : <RoleChange person={person} />}
      <Invitation person={person} />
      {!isOwn && <Access person={person} />}
    </>
  )
}

/** Changes a person, and says so. */
function usePersonChange(person: User, told: (changed: User) => string) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: UserChange) => changePerson(person.id, body),
    onSuccess: async (changed) => {
      queries.setQueryData(personQuery(person.id).queryKey, changed)
      toasts.tell(told(changed))
      await queries.invalidateQueries({ queryKey: ['people'] })
    },
    onError: (error) => toasts.warn(sentenceOf(error, words)),
  })
}

function RoleChange({ person }: { person: User }) {
  const { people, roles } = useWords()
  const [role, setRole] = useState(person.role as RoleId)
  const change = usePersonChange(person, (changed) =>
    people.roleChanged(changed.name, roles[changed.role] ?? changed.role),
  )
  return (
    <section className={list.section}>
      <RoleChoice role={role} onChange={setRole} />
      <div className={list.steps}>
        <Button disabled={role === person.role} isBusy={change.isPending} onClick={() => change.mutate({ role })}>
          {people.changeRole}
        </Button>
      </div>
    </section>
  )
}

function Invitation({ person }: { person: User }) {
  const words = useWords()
  const { people } = words
  const toasts = useToasts()
  const reinvite = useMutation({
    mutationFn: () => reinvitePerson(person.id),
    onError: (error) => toasts.warn(sentenceOf(error, words)),
  })
  if (!person.isActive) return null
  return (
    <section className={list.section}>
      <p className={list.quiet}>{people.reinviteNote}</p>
      <div className={list.steps}>
        <Button icon={<IconMail size={15} />} isBusy={reinvite.isPending} onClick={() => reinvite.mutate()}>
          {people.reinvite}
        </Button>
      </div>
      {reinvite.data && <LinkDialog invited={reinvite.data} onClose={() => reinvite.reset()} />}
    </section>
  )
}

function Access({ person }: { person: User }) {
  const words = useWords()
  const { people } = words
  const toasts = useToasts()
  const [isDeactivating, setDeactivating] = useState(false)
  const change = usePersonChange(person, ({ name, isActive }) =>
    isActive ? people.activated(name) : people.deactivated(name),
  )
  const signOut = useMutation({
    mutationFn: () => signOutPerson(person.id),
    onSuccess: ({ sessions }) => toasts.tell(people.signedOut(sessions)),
    onError: (error) => toasts.warn(sentenceOf(error, words)),
  })
  return (
    <section className={list.section}>
      <div className={list.steps}>
        <Button icon={<IconLogout size={15} />} isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
          {people.signOut}
        </Button>
        {person.isActive ? (
          <Button look="danger" onClick={() => setDeactivating(true)}>
            {people.deactivate}
          </Button>
        ) : (
          <Button isBusy={change.isPending} onClick={() => change.mutate({ isActive: true })}>
            {people.activate}
          </Button>
        )}
      </div>
      {isDeactivating && (
        <DeactivateDialog
          person={person}
          onClose={() => setDeactivating(false)}
          onConfirm={() => {
            setDeactivating(false)
            change.mutate({ isActive: false })
          }}
        />
      )}
    </section>
  )
}
