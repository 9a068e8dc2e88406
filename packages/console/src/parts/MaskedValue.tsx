import css from './parts.module.css'

/** Personal data as dots, or for a while as it is. */
export function MaskedValue({ masked, revealed }: { masked: string | null; revealed: string | null | undefined }) {
  if (masked === null && !revealed) return <span className={css.absent}>—</span>
  return (
    <span className={css.masked} data-revealed={revealed !== undefined && revealed !== null}>
      {revealed ?? masked}
    </span>
  )
}
