import { IconUserPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { User } from '@order-testing/client/operator'
import { useState } from 'react'
import { peopleQuery } from '../../api/people.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import { Allowed } from '../../shell/Allowed.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { ListTable, type Column } from '../../shell/ListTable.tsx'
import { useMay, useSession } from '../../shell/session.tsx'
import { TopBar } from '../../shell/TopBar.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { PersonPanel } from './PersonPanel.tsx'
import { PersonState } from './PersonState.tsx'
import list from '../../shell/list.module.css'

export default function PeoplePage() {
  const words = useWords()
  return (
    <Allowed title={words.people.title} scope="operator.users.read">
      <People />
    </Allowed>
  )
}

function People() {
  const words = useWords()
  const { user } = useSession()
  const { person: opened } = useSearch({ from: '/signedIn/people' })
  const navigate = useNavigate({ from: '/people' })
  const query = useInfiniteQuery(peopleQuery)
  const mayWrite = useMay('operator.users.write')
  const [isInviting, setInviting] = useState(false)
  useShortcut('n', () => setInviting(true), mayWrite)
  const open = (person: string | undefined) =>
    void navigate({ search: (person === undefined ? {} : { person }) as { person: string }, replace: true })
  const total = query.data?.pages[0]?.total.toLocaleString(words.locale)
  return (
    <>
      <TopBar title={words.people.title} detail={total === undefined ? undefined : words.people.count(total)}>
        {mayWrite && (
          <Button data-keep look="filled" keys="n" icon={<IconUserPlus size={15} />} onClick={() => setInviting(true)}>
            {words.people.invite}
          </Button>
        )}
      </TopBar>
      <div className={list.split}>
        <section className={list.list}>
          <ListTable
            label={words.people.title}
            query={query}
            columns={columnsOf(words, user.id)}
            idOf={({ id }) => id}
            opened={opened}
            onOpen={open}
            empty={{ title: words.people.empty, detail: words.people.emptyDetail }}
          />
        </section>
        {opened !== undefined && <PersonPanel key={opened} id={opened} onClose={() => open(undefined)} />}
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  )
}

function columnsOf(words: Words, ownId: string): Column<User>[] {
  const { people, roles } = words
  return [
    {
      label: people.person,
      width: 'minmax(0, 1.4fr)',
      cell: ({ id, name }) => (
        <>
          <b className={list.strong}>{name}</b> {id === ownId && <Tag isOutlined>{people.you}</Tag>}
        </>
      ),
    },
    { label: people.role, width: 'minmax(0, 1fr)', isExtra: true, cell: ({ role }) => roles[role] ?? role },
    { label: people.state, width: '100px', cell: ({ state }) => <PersonState state={state} /> },
    { label: people.passkeys, width: '80px', isRight: true, isExtra: 'wide', cell: ({ passkeys }) => passkeys },
    {
      label: people.lastSignIn,
      width: '110px',
      isRight: true,
      isExtra: true,
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? people.never : <Time at={lastSignInAt} as="short" />),
    },
  ]
}
