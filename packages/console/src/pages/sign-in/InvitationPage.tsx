import { IconFingerprint } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { detailOf } from '../../api/failures.ts'
import { acceptInvitation, invitationQuery, sessionQuery } from '../../api/session.ts'
import { useWords } from '../../languages/words.tsx'
import { usePageTitle } from '../../shell/TopBar.tsx'
import { SignInFrame } from './SignInPage.tsx'
import css from './sign-in.module.css'

/** The page behind the link of an invitation: creates a passkey and signs the person in. */
export default function InvitationPage() {
  const words = useWords()
  const { secret } = useParams({ from: '/invitation/$secret' })
  const invitation = useQuery(invitationQuery(secret))
  const { accept, isBusy, problem } = useAcceptance(secret)
  const { data, error } = invitation
  const title = data ? words.invitation.title(data.tenantName) : words.invitation.invalid
  usePageTitle(title)
  if (!data && !error) return null
  return (
    <SignInFrame tenant={data?.tenantName ?? words.product}>
      <h1>{title}</h1>
      {data ? (
        <>
          <p className={css.subtitle}>{words.invitation.detail(data.email, words.roles[data.role] ?? data.role)}</p>
          <div className={css.ways}>
            <button type="button" className={css.primary} disabled={isBusy} onClick={() => void accept()}>
              <IconFingerprint size={18} /> {words.invitation.create}
            </button>
          </div>
          <p className={css.note}>{words.invitation.explain}</p>
        </>
      ) : (
        <p className={css.subtitle}>{words.invitation.invalidDetail}</p>
      )}
      {problem !== undefined && (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      )}
    </SignInFrame>
  )
}

function useAcceptance(secret: string) {
  const words = useWords()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const accept = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      queries.setQueryData(sessionQuery.queryKey, await acceptInvitation(secret))
      await navigate({ to: '/' })
    } catch (error) {
      setProblem(detailOf(error) ?? words.signIn.refused)
    } finally {
      setBusy(false)
    }
  }
  return { accept, isBusy, problem }
}
