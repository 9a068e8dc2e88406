import { useWords } from '../../languages/words.tsx'
import { valueAt, type Entry } from './entries.ts'
import css from './catalog.module.css'

const isColor = (text: unknown): text is string => typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text)

/** A logo in the catalog itself. The console loads nothing from other hosts. */
const isEmbedded = (logo: unknown): logo is string => typeof logo === 'string' && logo.startsWith('data:image/')

/** The head of the participants' pages, roughly. */
export function BrandingPreview({ entry }: { entry: Entry }) {
  const words = useWords()
  const logo = valueAt(entry, 'branding.logo')
  const accent = valueAt(entry, 'branding.accent')
  const help = ['branding.helpPhone', 'branding.helpEmail'].map((path) => valueAt(entry, path)).filter(Boolean)
  return (
    <figure className={css.preview}>
      <figcaption>{words.catalog.preview}</figcaption>
      <div>
        {isEmbedded(logo) ? (
          <img src={logo} alt="" width={30} height={30} />
        ) : (
          <i style={{ background: isColor(accent) ? accent : undefined }} aria-hidden="true">
            {Array.from(entry.name).slice(0, 1).join('')}
          </i>
        )}
        <b>{entry.name}</b>
        <small>{help.join(' · ')}</small>
      </div>
      {typeof logo === 'string' && !isEmbedded(logo) && <p>{words.catalog.hostedLogo(logo)}</p>}
    </figure>
  )
}
