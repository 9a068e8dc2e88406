import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useWords } from '../languages/words.tsx'
import { Empty } from '../parts/States.tsx'

export function NotFoundPage() {
  const words = useWords()
  return (
    <Empty title={words.states.notFound} detail={words.states.notFoundDetail} icon={<IconMapQuestion size={28} />}>
      <p>
        <Link to="/orders">{words.areas.orders}</Link>
      </p>
    </Empty>
  )
}
