import { IconPencil, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { FullToken, Token } from '@order-testing/client/operator'
import { useState } from 'react'
import { catalogQuery } from '../../api/catalog.ts'
import { tokenQuery } from '../../api/tokens.ts'
import { useWords } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Failure, SlowNotice } from '../../parts/States.tsx'
import { Withheld } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { SidePanel } from '../../shell/ListTable.tsx'
import { useMay } from '../../shell/session.tsx'
import { EditDialog } from './EditDialog.tsx'
import { RevokeDialog } from './RevokeDialog.tsx'
import { RequestLog } from './RequestLog.tsx'
import { kindOf } from './scopes.ts'
import { ScopesPart } from './ScopesPart.tsx'
import { Senders } from './Senders.tsx'
import { StateTags } from './StateTags.tsx'
import list from '../../shell/list.module.css'
import css from './tokens.module.css'

export function TokenPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords()
  const token = useQuery(tokenQuery(id))
  const { data } = token
  return (
    <SidePanel
      label={words.tokens.panel}
      head={
        <>
          <h2>{data?.name ?? words.tokens.panel}</h2>
          {data && <StateTags token={data} />}
          <span className={list.space} />
          <IconButton label={words.actions.close} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
        </>
      }
      foot={data && <Actions token={data} />}
    >
      {token.error && !data ? (
        <Failure error={token.error} onRetry={() => void token.refetch()} />
      ) : data ? (
        <Details token={data} />
      ) : (
        <SlowNotice />
      )}
    </SidePanel>
  )
}

function Details({ token }: { token: FullToken }) {
  const words = useWords()
  const { tokens } = words
  return (
    <>
      {token.origin === 'catalog' && (
        <div className={list.section}>
          <Withheld>{tokens.catalogNote}</Withheld>
        </div>
      )}
      <Facts token={token} />
      <Companies token={token} />
      <ScopesPart token={token} />
      {token.scopes.some((scope) => scope.startsWith('intake.')) && <Senders token={token} />}
      <RequestLog id={token.id} />
    </>
  )
}

function Facts({ token }: { token: Token }) {
  const words = useWords()
  const { tokens } = words
  const limit =
    token.rateLimit === null
      ? tokens.defaultLimit
      : token.rateLimit === 0
        ? tokens.noLimit
        : tokens.perMinute(token.rateLimit.toLocaleString(words.locale))
  return (
    <section className={list.section}>
      <dl className={list.pairs}>
        <dt>{tokens.id}</dt>
        <dd>
          <code>{token.id}</code>
        </dd>
        <dt>{tokens.lastUsed}</dt>
        <dd>{token.lastUsedAt === null ? tokens.never : <Time at={token.lastUsedAt} />}</dd>
        <dt>{tokens.rateLimit}</dt>
        <dd>{limit}</dd>
        <dt>{tokens.expires}</dt>
        <dd>{token.expiresAt === null ? tokens.noExpiry : <Time at={token.expiresAt} />}</dd>
        <dt>{tokens.created}</dt>
        <dd>
          <Time at={token.createdAt} />
        </dd>
        {token.revokedAt !== null && (
          <>
            <dt>{tokens.revoked}</dt>
            <dd>
              <Time at={token.revokedAt} />
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

/** Names need the catalog; without it there are ids. */
function Companies({ token: { companies, scopes } }: { token: Token }) {
  const { tokens } = useWords()
  const mayRead = useMay('operator.catalog.read')
  const catalog = useQuery({ ...catalogQuery, enabled: mayRead && companies.length > 0 })
  const names = new Map(catalog.data?.companies?.map(({ id, name }) => [id, name]))
  return (
    <section className={list.section}>
      <h3>
        {tokens.companies} {companies.length > 0 && <small>{tokens.companiesOf(companies.length)}</small>}
      </h3>
      {kindOf(scopes) === 'staff' ? (
        <p className={list.quiet}>{tokens.allCompanies}</p>
      ) : (
        <ul className={css.names}>
          {companies.map((id) => (
            <li key={id}>{names.get(id) ?? id}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Tokens of catalog files are revoked here, but changed in their file. */
function Actions({ token }: { token: Token }) {
  const { tokens } = useWords()
  const mayWrite = useMay('operator.tokens.write') && token.state !== 'revoked'
  const mayEdit = mayWrite && token.origin === 'issued'
  const [opened, setOpened] = useState<'edit' | 'revoke'>()
  useShortcut('e', () => setOpened('edit'), mayEdit)
  const close = () => setOpened(undefined)
  if (!mayWrite) return null
  return (
    <>
      <Button size="form" look="danger" onClick={() => setOpened('revoke')}>
        {tokens.revoke}
      </Button>
      <span className={list.space} />
      {mayEdit && (
        <Button size="form" look="filled" keys="e" icon={<IconPencil size={15} />} onClick={() => setOpened('edit')}>
          {tokens.edit}
        </Button>
      )}
      {opened === 'edit' && <EditDialog token={token} onClose={close} />}
      {opened === 'revoke' && <RevokeDialog token={token} onClose={close} />}
    </>
  )
}
