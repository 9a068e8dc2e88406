import { IconAlertCircle } from '@tabler/icons-react'
import { useId, type ComponentProps, type ReactNode } from 'react'
import css from './parts.module.css'

interface Labelled {
  label: string
  note?: ReactNode
  error?: string | undefined
  /** Inside the field, at its end. */
  end?: ReactNode
}

export function TextField({ label, note, error, end, ...rest }: Labelled & ComponentProps<'input'>) {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, note, error, end }}>
      <input
        {...rest}
        id={id}
        className={css.input}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      />
    </FieldFrame>
  )
}

export function TextArea({ label, note, error, ...rest }: Labelled & ComponentProps<'textarea'>) {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, note, error }}>
      <textarea
        rows={2}
        {...rest}
        id={id}
        className={css.input}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      />
    </FieldFrame>
  )
}

export function SelectField({ label, note, error, ...rest }: Labelled & ComponentProps<'select'>) {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, note, error }}>
      <select
        {...rest}
        id={id}
        className={css.input}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      />
    </FieldFrame>
  )
}

function FieldFrame({ id, label, note, error, end, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <div className={css.inputFrame}>
        {children}
        {end !== undefined && <span className={css.inputEnd}>{end}</span>}
      </div>
      <div id={`${id}-note`} className={css.fieldNote} data-error={error !== undefined}>
        {error === undefined ? (
          note
        ) : (
          <>
            <IconAlertCircle size={14} /> {error}
          </>
        )}
      </div>
    </div>
  )
}

/** Chips of which one is chosen. */
export function Choice<T extends string>({
  label,
  options,
  value,
  onChange,
  look = 'chips',
}: {
  label: string
  options: readonly { value: T; label: string; count?: number | string | undefined }[]
  value: T
  onChange: (value: T) => void
  look?: 'chips' | 'segments'
}) {
  return (
    <div role="group" aria-label={label} className={look === 'chips' ? css.chips : css.segments}>
      {options.map((each) => (
        <button
          key={each.value}
          type="button"
          aria-pressed={each.value === value}
          className={look === 'chips' ? css.chip : css.segment}
          onClick={() => onChange(each.value)}
        >
          {each.label} {each.count !== undefined && <span className={css.count}>{each.count}</span>}
        </button>
      ))}
    </div>
  )
}

export const Check = (props: ComponentProps<'input'>) => <input {...props} type="checkbox" className={css.check} />
