import { useWords } from '../languages/words.tsx'
import css from './parts.module.css'

/** How far something has come, in words and as a bar. */
export function Progress({ text, done, of }: { text: string; done: number; of: number }) {
  const words = useWords()
  const count = (value: number) => value.toLocaleString(words.locale)
  return (
    <div className={css.progress}>
      <p role="status">{words.bulk.progress(text, count(done), count(of))}</p>
      <progress aria-label={text} max={Math.max(of, 1)} value={done} />
    </div>
  )
}
