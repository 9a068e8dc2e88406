import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import * as account from '../../api/account.ts'
import { needsFreshSignIn, statusOf } from '../../api/failures.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { deviceOf } from '../../parts/device.ts'
import { Failure, sentenceOf, SlowNotice } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { Time } from '../../parts/Time.tsx'
import { useSession } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import css from './account.module.css'

/** The own passkeys and sessions. */
export default function AccountPage() {
  const words = useWords()
  const { user } = useSession()
  usePageTitle(words.account.menu)
  return (
    <>
      <TopBar title={words.account.menu} detail={user.email} />
      <div className={css.page}>
        <Passkeys />
        <Sessions />
      </div>
    </>
  )
}

/** Changes the account, says so, and reads it again. */
function useChange<T>(change: (given: T) => Promise<unknown>, told: string) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      toasts.tell(told)
      await queries.invalidateQueries({ queryKey: ['account'] })
    },
    onError: (error) => {
      if (needsFreshSignIn(error)) return
      toasts.warn(statusOf(error) === undefined ? words.account.passkeyRefused : sentenceOf(error, words))
    },
  })
}

function Passkeys() {
  const words = useWords()
  const passkeys = useQuery(account.passkeysQuery)
  const [removing, setRemoving] = useState<string>()
  const [isConfirming, setConfirming] = useState(false)
  const add = useChange(
    () =>
      account.addPasskey().catch((error: unknown) => {
        if (needsFreshSignIn(error)) setConfirming(true)
        throw error
      }),
    words.account.passkeyAdded,
  )
  const remove = useChange(account.removePasskey, words.account.passkeyRemoved)
  return (
    <Card
      title={words.account.passkeys}
      note={words.account.passkeysNote}
      query={passkeys}
      action={
        <Button
          look="filled"
          icon={<IconFingerprint size={15} />}
          isBusy={add.isPending}
          onClick={() => add.mutate(undefined)}
        >
          {words.account.addPasskey}
        </Button>
      }
    >
      {passkeys.data?.data.length === 0 && <li className={css.row}>{words.account.noPasskeys}</li>}
      {passkeys.data?.data.map(({ id, createdAt, lastUsedAt, isSynced }) => (
        <li key={id} className={css.row}>
          <span>
            <b>{words.account.passkey}</b> <Tag>{isSynced ? words.account.synced : words.account.onDevice}</Tag>
            <small>
              {words.account.added} <Time at={createdAt} /> · {words.account.lastUsed}{' '}
              {lastUsedAt === null ? words.account.never : <Time at={lastUsedAt} />}
            </small>
          </span>
          <Button look="danger" onClick={() => setRemoving(id)}>
            {words.account.removePasskey}
          </Button>
        </li>
      ))}
      {isConfirming && (
        <ConfirmDialog
          onClose={() => setConfirming(false)}
          onConfirmed={() => {
            setConfirming(false)
            add.mutate(undefined)
          }}
        />
      )}
      {removing !== undefined && (
        <RemoveDialog
          onClose={() => setRemoving(undefined)}
          onConfirm={() => {
            setRemoving(undefined)
            remove.mutate(removing)
          }}
        />
      )}
    </Card>
  )
}

function RemoveDialog({ onClose, onConfirm }: { onClose: () => void; onConfirm: () => void }) {
  const words = useWords()
  return (
    <AskDialog
      title={words.account.removeTitle}
      onClose={onClose}
      onConfirm={onConfirm}
      leave={words.account.removeKeep}
      confirm={words.account.removeTitle}
      look="dangerFilled"
    >
      <p>{words.account.removeEffect}</p>
    </AskDialog>
  )
}

function Sessions() {
  const words = useWords()
  const sessions = useQuery(account.ownSessionsQuery)
  const end = useChange(account.endSession, words.account.sessionEnded)
  const endAll = async () => {
    await account.endAllSessions()
    location.assign('/console/sign-in')
  }
  const all = useChange(endAll, words.account.sessionEnded)
  return (
    <Card
      title={words.account.sessions}
      note={words.account.sessionsNote}
      query={sessions}
      action={
        <Button isBusy={all.isPending} onClick={() => all.mutate(undefined)}>
          {words.account.endAll}
        </Button>
      }
    >
      {sessions.data?.data.map((session) => (
        <li key={session.id} className={css.row}>
          <span>
            <b>{words.account.methods[session.method] ?? session.method}</b>{' '}
            {session.isCurrent && <Tag tone="good">{words.account.current}</Tag>}
            <small title={session.userAgent}>{words.account.deviceName(deviceOf(session.userAgent))}</small>
            <small>
              {session.address} · {words.account.began} <Time at={session.createdAt} /> · {words.account.lastSeen}{' '}
              <Time at={session.lastSeenAt} />
            </small>
          </span>
          {!session.isCurrent && (
            <Button isBusy={end.isPending} onClick={() => end.mutate(session.id)}>
              {words.account.endSession}
            </Button>
          )}
        </li>
      ))}
    </Card>
  )
}

interface CardProps {
  title: string
  note: string
  query: { data: unknown; error: unknown; refetch: () => unknown }
  action: ReactNode
  children: ReactNode
}

function Card({ title, note, query, action, children }: CardProps) {
  return (
    <section className={css.card} aria-label={title}>
      <header className={css.head}>
        <div>
          <h2>{title}</h2>
          <p>{note}</p>
        </div>
        {action}
      </header>
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <SlowNotice />
      ) : (
        <ul className={css.rows}>{children}</ul>
      )}
    </section>
  )
}
