import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useWords } from '../languages/words.tsx'
import { useToasts } from './toasts.tsx'

interface Options<Data, Input> {
  send: (signal: AbortSignal, input: Input) => Promise<Data>
  onSuccess?: (data: Data, input: Input) => unknown
  onError?: (error: unknown) => void
}

/**
 * A change that a dialog asks for. Closing the dialog aborts a request without an answer, so that a slow network cannot
 * deliver it later, and says that the request may already have arrived.
 */
export function useDialogChange<Data, Input = void>({ send, onSuccess, onError }: Options<Data, Input>) {
  const underWay = useRef<AbortController>(undefined)
  const onLeave = useOnLeave()
  useEffect(
    () => () => {
      if (!underWay.current) return
      underWay.current.abort()
      onLeave.current()
    },
    [onLeave],
  )
  return useMutation({
    mutationFn: async (input: Input) => {
      const closing = new AbortController()
      underWay.current = closing
      try {
        return await send(closing.signal, input)
      } finally {
        underWay.current = undefined
      }
    },
    ...(onSuccess && { onSuccess: (data: Data, input: Input) => onSuccess(data, input) }),
    ...(onError && { onError: (error: unknown) => onError(error) }),
  })
}

/** Warns, and reads again what is shown. */
function useOnLeave() {
  const { states } = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const latest = useRef(() => undefined as void)
  useEffect(() => {
    latest.current = () => {
      toasts.warn(states.leftUnanswered)
      void queries.invalidateQueries()
    }
  })
  return latest
}
