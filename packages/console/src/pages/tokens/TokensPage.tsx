import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Token } from '@order-testing/client/operator'
import { useState } from 'react'
import { tokensQuery } from '../../api/tokens.ts'
import { useWords, type Words } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Time } from '../../parts/Time.tsx'
import { Allowed } from '../../shell/Allowed.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { ListTable, type Column } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { TopBar } from '../../shell/TopBar.tsx'
import { CreateDialog } from './CreateDialog.tsx'
import { kindOf } from './scopes.ts'
import { StateTags } from './StateTags.tsx'
import { TokenPanel } from './TokenPanel.tsx'
import list from '../../shell/list.module.css'

export default function TokensPage() {
  const words = useWords()
  return (
    <Allowed title={words.tokens.title} scope="operator.tokens.read">
      <Tokens />
    </Allowed>
  )
}

function Tokens() {
  const words = useWords()
  const { token: opened } = useSearch({ from: '/signedIn/tokens' })
  const navigate = useNavigate({ from: '/tokens' })
  const query = useInfiniteQuery(tokensQuery)
  const mayWrite = useMay('operator.tokens.write')
  const [isCreating, setCreating] = useState(false)
  useShortcut('n', () => setCreating(true), mayWrite)
  const open = (token: string | undefined) =>
    void navigate({ search: (token === undefined ? {} : { token }) as { token: string }, replace: true })
  const total = query.data?.pages[0]?.total.toLocaleString(words.locale)
  return (
    <>
      <TopBar title={words.tokens.title} detail={total === undefined ? undefined : words.tokens.count(total)}>
        {mayWrite && (
          <Button data-keep look="filled" keys="n" icon={<IconPlus size={15} />} onClick={() => setCreating(true)}>
            {words.tokens.create}
          </Button>
        )}
      </TopBar>
      <div className={list.split}>
        <section className={list.list}>
          <ListTable
            label={words.tokens.title}
            query={query}
            columns={columnsOf(words)}
            idOf={({ id }) => id}
            opened={opened}
            onOpen={open}
            empty={{ title: words.tokens.empty, detail: words.tokens.emptyDetail }}
          />
        </section>
        {opened !== undefined && <TokenPanel key={opened} id={opened} onClose={() => open(undefined)} />}
      </div>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} onCreated={open} />}
    </>
  )
}

function columnsOf(words: Words): Column<Token>[] {
  const { tokens } = words
  return [
    { label: tokens.name, width: 'minmax(0, 1.6fr)', cell: ({ name }) => <b className={list.strong}>{name}</b> },
    { label: tokens.state, width: '170px', cell: (token) => <StateTags token={token} /> },
    {
      label: tokens.companies,
      width: 'minmax(0, 1fr)',
      isExtra: 'wide',
      cell: ({ companies, scopes }) =>
        kindOf(scopes) === 'staff' ? tokens.allCompanies : tokens.companiesOf(companies.length),
    },
    {
      label: tokens.lastUsed,
      width: '110px',
      isRight: true,
      isExtra: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? tokens.never : <Time at={lastUsedAt} as="short" />),
    },
  ]
}
