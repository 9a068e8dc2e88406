import { useWords } from '../../languages/words.tsx'
import type { Tone } from '../../parts/statuses.ts'
import { Tag } from '../../parts/Tag.tsx'

const TONES: Record<string, Tone> = { active: 'good', invited: 'warn' }

export function PersonState({ state }: { state: string }) {
  const { people } = useWords()
  return <Tag tone={TONES[state] ?? 'neutral'}>{people.states[state] ?? state}</Tag>
}
