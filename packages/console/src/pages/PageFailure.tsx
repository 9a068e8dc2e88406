import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { NotLoadedError } from '../parts/lazy-part.tsx'
import { reloadAtMostOncePerMinute, useServiceBack } from '../parts/recovery.ts'
import { Failure } from '../parts/States.tsx'

/** In place of a page that failed, inside the shell. A page that could not be loaded opens when the service answers. */
export function PageFailure({ error }: ErrorComponentProps): ReactNode {
  const { states } = useWords()
  const isNotLoaded = error instanceof NotLoadedError
  useServiceBack(isNotLoaded, reloadAtMostOncePerMinute)
  return (
    <Failure
      error={error}
      title={states.pageFailed}
      detail={isNotLoaded ? `${states.unreachable} ${states.opensByItself}` : undefined}
      onRetry={() => location.reload()}
    />
  )
}
