import type { Token } from '@order-testing/client/operator'
import { useWords } from '../../languages/words.tsx'
import type { Tone } from '../../parts/statuses.ts'
import { Tag } from '../../parts/Tag.tsx'

const TONES: Record<string, Tone> = { active: 'good', withoutSecret: 'warn', expired: 'warn', revoked: 'bad' }

export function StateTags({ token: { state, origin } }: { token: Token }) {
  const { tokens } = useWords()
  return (
    <>
      <Tag tone={TONES[state] ?? 'neutral'}>{tokens.states[state] ?? state}</Tag>{' '}
      {origin === 'catalog' && <Tag isOutlined>{tokens.fromCatalog}</Tag>}
    </>
  )
}
