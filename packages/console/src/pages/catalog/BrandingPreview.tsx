import { useWords } from '../../languages/words.tsx'
import { valueAt, type Entry } from './entries.ts'
import css from './catalog.module.css'

const isColor = (text: unknown): text is string => typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text)

/** The head of the participants' pages, roughly. */
export function BrandingPreview({ entry }: { entry: Entry }) {
  const words = useWords()
  const accent = valueAt(entry, 'branding.accent')
  const help = ['branding.helpPhone', 'branding.helpEmail'].map((path) => valueAt(entry, path)).filter(Boolean)
  return (
    <figure className={css.preview}>
      <figcaption>{words.catalog.preview}</figcaption>
      <div>
        <i style={{ background: isColor(accent) ? accent : undefined }} aria-hidden="true" />
        <b>{entry.name}</b>
        <small>{help.join(' · ')}</small>
      </div>
    </figure>
  )
}
