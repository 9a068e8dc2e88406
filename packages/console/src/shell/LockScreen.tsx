import { IconFingerprint, IconLock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  enterDemo,
  enterWithPasskey,
  isDemoOperator,
  OIDC_PATH,
  sessionQuery,
  signInOptionsQuery,
  signOut,
  type Session,
  type SignInOptions,
} from '../api/session.ts'
import { useWords } from '../languages/words.tsx'
import { Button } from '../parts/Button.tsx'
import { initialsOf } from './initials.ts'
import { useSessionLock, type LockReason } from './lock.ts'
import { useToasts } from './toasts.tsx'
import css from './shell.module.css'

interface Props {
  session: Session
  reason: LockReason | undefined
  /** Whether the service is still to be told. */
  isToldLater: boolean
  onUnlock: () => void
}

/** How the person of a session signs in again: as the demo operator, at the company's own page, or with a passkey. */
function wayIn(options: SignInOptions | undefined, session: Session) {
  const isDemo = options?.hasDemo === true && isDemoOperator(session)
  return { isDemo, company: options?.hasPasskeys === false && !isDemo ? options.oidc : null }
}

/** Shows nothing of what was open. The same person has to prove who they are. */
export function LockScreen({ session, reason, isToldLater, onUnlock }: Props) {
  const words = useWords()
  const queries = useQueryClient()
  const toasts = useToasts()
  const options = useQuery(signInOptionsQuery)
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  // Not while the person signs in: a late attempt would lock the new session.
  useSessionLock(isToldLater && !isBusy)
  const { isDemo, company } = wayIn(options.data, session)
  const unlock = async () => {
    setBusy(true)
    setFailed(false)
    try {
      // A quick person is here before the options are.
      const way = wayIn(await queries.ensureQueryData(signInOptionsQuery), session)
      if (way.company) return location.assign(OIDC_PATH)
      const renewed = await (way.isDemo ? enterDemo() : enterWithPasskey())
      // Somebody else starts with an empty console.
      if (renewed.user.id !== session.user.id) queries.clear()
      // In this order: the new session must not be taken for one that is still to be locked.
      onUnlock()
      queries.setQueryData(sessionQuery.queryKey, renewed)
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  const leave = async () => {
    await toasts.settle()
    await signOut().catch(() => undefined)
    location.assign('/console/sign-in')
  }
  return (
    <main className={css.lock}>
      <span className={css.lockAvatar}>{initialsOf(session.user.name)}</span>
      <h1>
        <IconLock size={18} /> {words.lock.title}
      </h1>
      <p>{reason === 'idle' ? words.lock.unused(session.user.name) : words.lock.detail(session.user.name)}</p>
      <Button
        look="filled"
        size="form"
        autoFocus
        isBusy={isBusy}
        icon={<IconFingerprint size={16} />}
        onClick={() => void unlock()}
      >
        {isDemo ? words.lock.unlockDemo : company ? words.signIn.sso(company.name) : words.lock.unlock}
      </Button>
      <Button look="bare" size="form" onClick={() => void leave()}>
        {words.actions.signOut}
      </Button>
      {hasFailed && <p role="alert">{words.signIn.refused}</p>}
    </main>
  )
}
