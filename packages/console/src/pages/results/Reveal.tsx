import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { useMay } from '../../shell/session.tsx'

const REVEALED_MS = 60_000

/** A message, for a minute with its persons in full after somebody asked for it. */
export function useRevealed<Item extends { id: string }>(masked: Item, readInFull: (id: string) => Promise<Item>) {
  const [shown, setShown] = useState<Item>()
  const read = useMutation({ mutationFn: () => readInFull(masked.id), onSuccess: setShown })
  useEffect(() => {
    if (!shown) return undefined
    const timer = setTimeout(() => setShown(undefined), REVEALED_MS)
    return () => clearTimeout(timer)
  }, [shown])
  const isShown = shown?.id === masked.id
  return {
    item: isShown ? shown : masked,
    isShown,
    isBusy: read.isPending,
    error: read.error,
    reveal: () => read.mutate(),
    hide: () => setShown(undefined),
  }
}

export function Reveal({ isShown, isBusy, error, reveal, hide }: Omit<ReturnType<typeof useRevealed>, 'item'>) {
  const words = useWords()
  const mayRead = useMay('operator.participants.read')
  if (!mayRead) return null
  return (
    <p>
      <Button
        icon={isShown ? <IconEyeOff size={15} /> : <IconEye size={15} />}
        isBusy={isBusy}
        onClick={isShown ? hide : reveal}
      >
        {isShown ? words.order.hide : words.order.reveal}
      </Button>
      {error && <span role="alert"> {sentenceOf(error, words)}</span>}
    </p>
  )
}
