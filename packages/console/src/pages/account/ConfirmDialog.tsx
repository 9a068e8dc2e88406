import { IconFingerprint } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { enterWithPasskey, OIDC_PATH, sessionQuery, signInOptionsQuery } from '../../api/session.ts'
import { passkeysQuery } from '../../api/account.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { useSession } from '../../shell/session.tsx'

/** The last sign-in is too long ago: the person signs in once more, with a passkey or at the company. */
export function ConfirmDialog({ onClose, onConfirmed }: { onClose: () => void; onConfirmed: () => void }) {
  const words = useWords()
  const queries = useQueryClient()
  const { user } = useSession()
  const passkeys = useQuery(passkeysQuery)
  const options = useQuery(signInOptionsQuery)
  const company = passkeys.data?.data.length === 0 ? (options.data?.oidc ?? null) : null
  const confirm = useMutation({
    mutationFn: enterWithPasskey,
    onSuccess: (renewed) => {
      // Somebody else starts with an empty console.
      if (renewed.user.id !== user.id) return location.assign('/console')
      queries.setQueryData(sessionQuery.queryKey, renewed)
      onConfirmed()
    },
  })
  const proceed = () => (company ? location.assign(OIDC_PATH) : confirm.mutate())
  return (
    <AskDialog
      title={words.account.confirmTitle}
      onClose={onClose}
      onConfirm={proceed}
      leave={words.account.confirmLater}
      confirm={company ? words.signIn.sso(company.name) : words.account.confirmPasskey}
      icon={<IconFingerprint size={15} />}
      isBusy={confirm.isPending}
      hint={confirm.error ? words.signIn.refused : undefined}
    >
      <p>{words.account.confirmNote}</p>
    </AskDialog>
  )
}
