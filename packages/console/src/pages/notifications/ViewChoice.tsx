import { useNavigate } from '@tanstack/react-router'
import { useWords } from '../../languages/words.tsx'
import { Choice } from '../../parts/Field.tsx'

/** Leads from the notifications to the suppression list and back. */
export function ViewChoice({ view }: { view: 'sent' | 'suppressions' }) {
  const { notifications } = useWords()
  const navigate = useNavigate({ from: '/notifications' })
  return (
    <Choice
      look="segments"
      label={notifications.viewsLabel}
      value={view}
      onChange={(chosen) => void navigate({ search: chosen === 'sent' ? {} : { view: chosen } })}
      options={(['sent', 'suppressions'] as const).map((value) => ({ value, label: notifications.views[value] }))}
    />
  )
}
