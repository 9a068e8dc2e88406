import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReadOrder } from '../../api/orders.ts'
import { problemsOf, statusOf } from '../../api/failures.ts'
import { useWords } from '../../languages/words.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import css from './order.module.css'

/** A version of an order that somebody decided about. */
interface Version {
  updatedAt: string
  status: string
  services: { id: string; status: string }[]
}

/**
 * The version of the order that a dialog was opened with. The service refuses a change that is based on an older one; the
 * dialog then shows both, and a second confirmation is based on the newer.
 */
export function useVersion({ order }: ReadOrder, onChanged?: () => unknown) {
  const [opened] = useState<Version>(() => order)
  const [newer, setNewer] = useState<Version>()
  return {
    opened,
    newer,
    basedOn: (newer ?? opened).updatedAt,
    onError: (error: unknown) => {
      const now = statusOf(error) === 409 ? problemsOf(error)[0]?.meta : undefined
      if (!now || !('updatedAt' in now)) return
      setNewer(now as unknown as Version)
      onChanged?.()
    },
  }
}

/** Shows what the order was and what it is, if somebody else changed it meanwhile. */
export function ChangedMeanwhile({
  opened,
  newer,
  serviceId,
}: Pick<ReturnType<typeof useVersion>, 'opened' | 'newer'> & { serviceId?: string }) {
  const { move } = useWords()
  if (!newer) return null
  const statusOfVersion = (version: Version) =>
    version.services.find(({ id }) => id === serviceId)?.status ?? version.status
  const [then, now] = [statusOfVersion(opened), statusOfVersion(newer)]
  return (
    <div className={css.caution} role="alert">
      <IconAlertTriangle size={16} />
      <span>
        {move.changedMeanwhile}{' '}
        {then !== now && (
          <>
            {move.whenOpened} <StatusMark status={then} />, {move.isNow} <StatusMark status={now} />.{' '}
          </>
        )}
        {move.decideAgain}
      </span>
    </div>
  )
}
