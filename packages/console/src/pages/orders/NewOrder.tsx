import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { lazyPart } from '../../parts/lazy-part.tsx'
import { PartBoundary } from '../../parts/PartBoundary.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'

const NewOrderDialog = lazyPart(() => import('./NewOrderDialog.tsx'))

/** The button for a new order, and its form. */
export function NewOrder() {
  const { newOrder } = useWords()
  const [isOpen, setOpen] = useState(false)
  const isAllowed = useMay('operator.orders.write')
  useShortcut('n', () => setOpen(true), isAllowed)
  if (!isAllowed) return null
  return (
    <>
      <Button look="filled" icon={<IconPlus size={15} />} keys="n" onClick={() => setOpen(true)}>
        {newOrder.title}
      </Button>
      {isOpen && (
        <PartBoundary onClose={() => setOpen(false)}>
          <NewOrderDialog onClose={() => setOpen(false)} />
        </PartBoundary>
      )}
    </>
  )
}
