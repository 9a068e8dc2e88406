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
  const isDemo = options.data?.hasDemo === true && isDemoOperator(session)
  const company = options.data?.hasPasskeys === false && !isDemo ? options.data.oidc : null
  const unlock = async () => {
    if (company) return location.assign(OIDC_PATH)
    setBusy(true)
    setFailed(false)
    try {
      const renewed = await (isDemo ? enterDemo() : enterWithPasskey())
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
