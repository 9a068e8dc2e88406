import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'

const NewOrderDialog = lazy(() => import('./NewOrderDialog.tsx'))

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
        <Suspense>
          <NewOrderDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
