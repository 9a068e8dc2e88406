import { useWords } from '../../languages/words.tsx'
import { Check } from '../../parts/Field.tsx'
import css from './catalog.module.css'

interface Props {
  label: string
  /** What can be chosen; ids that the catalog does not know stay as they are. */
  options: readonly { id: string; name: string }[]
  saved: readonly string[]
  value: readonly string[]
  /** Whose choice is shown, as long as there is no own one. */
  inheritedFrom: string | undefined
  /** Gives up the own choice. */
  onReset: (() => void) | undefined
  resetTo: string | undefined
  onChange: (ids: string[]) => void
}

/** Several entries of another kind. Added and removed ones are marked. */
export function IdsField({ label, options, saved, value, inheritedFrom, onReset, resetTo, onChange }: Props) {
  const { catalog } = useWords()
  const toggle = (id: string) => onChange(value.includes(id) ? value.filter((each) => each !== id) : [...value, id])
  return (
    <fieldset className={css.ids}>
      <legend>
        {label} <small>{catalog.chosen(value.length, options.length)}</small>
      </legend>
      {inheritedFrom !== undefined && <p>{catalog.inheritedChoice(inheritedFrom)}</p>}
      {onReset && resetTo !== undefined && (
        <p>
          <button type="button" className={css.reset} onClick={onReset}>
            {catalog.follow(resetTo)}
          </button>
        </p>
      )}
      {options.map(({ id, name }) => {
        const [was, is] = [saved.includes(id), value.includes(id)]
        return (
          <label key={id} data-changed={was !== is} data-removed={was && !is}>
            <Check checked={is} onChange={() => toggle(id)} /> <span>{name}</span>
          </label>
        )
      })}
    </fieldset>
  )
}
