import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { CatalogFileOutput } from '@order-testing/client/operator'
import { catalogQuery } from '../../api/catalog.ts'
import { problemsOf } from '../../api/failures.ts'
import { placeOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { Check, Choice, SelectField, TextField } from '../../parts/Field.tsx'
import { explain } from '../../parts/refusals.ts'
import { Failure, SlowNotice } from '../../parts/States.tsx'
import { useDialogChange } from '../../shell/dialog-change.ts'
import { useToasts } from '../../shell/toasts.tsx'
import { useUnsaved } from '../../shell/unsaved.tsx'
import { EMPTY, offeredFor, requestOf, sortProblems, TEST_REASONS, withChange, type Draft } from './new-order.ts'
import css from './new-order.module.css'

/** Places an order for a client who called. The participant gets a link; a clinic can be booked on the order's page. */
export default function NewOrderDialog({ onClose }: { onClose: () => void }) {
  const { newOrder: texts } = useWords()
  const catalog = useQuery(catalogQuery)
  if (catalog.data) return <Form catalog={catalog.data} onClose={onClose} />
  return (
    <Dialog title={texts.title} onClose={onClose} footer={null}>
      {catalog.error ? <Failure error={catalog.error} onRetry={() => void catalog.refetch()} /> : <SlowNotice />}
    </Dialog>
  )
}

function Form({ catalog, onClose }: { catalog: CatalogFileOutput; onClose: () => void }) {
  const words = useWords()
  const { newOrder: texts } = words
  const [draft, setDraft] = useState(EMPTY)
  const unsaved = useUnsaved(
    JSON.stringify(draft) !== JSON.stringify(EMPTY),
    (current, next) => current.pathname === next.pathname,
  )
  const place = usePlacing(() => {
    unsaved.release()
    onClose()
  })
  const problems = sortProblems(
    problemsOf(place.error).map((problem) => ({ ...problem, detail: explain(problem, words) })),
  )
  const isUnexplained = place.error !== null && Object.keys(problems.fields).length === 0
  const errors = Object.fromEntries(
    Object.entries(problems.fields).map(([name, detail]) => [
      name,
      draft[name as keyof Draft] === '' ? texts.required : detail,
    ]),
  )
  const change = (changes: Partial<Draft>) => setDraft((now) => withChange(now, changes, catalog))
  return (
    <AskDialog
      title={texts.title}
      subtitle={texts.subtitle}
      size={760}
      leave={texts.leave}
      confirm={texts.confirm}
      isBusy={place.isPending}
      error={isUnexplained ? place.error : undefined}
      hint={[place.error && texts.marked, ...problems.others].filter(Boolean).join(' ')}
      onClose={() => unsaved.leave(onClose)}
      onConfirm={() => place.mutate(draft)}
    >
      <Fields {...{ draft, catalog, errors, onChange: change }} />
      {unsaved.question}
    </AskDialog>
  )
}

/** Sends the same key for the same draft, so that a second attempt after a lost answer places nothing twice. */
function usePlacing(onClose: () => void) {
  const { newOrder: texts } = useWords()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [sent] = useState(() => new Map<string, string>())
  return useDialogChange({
    send: (signal, draft: Draft) => {
      const body = requestOf(draft)
      const text = JSON.stringify(body)
      const key = sent.get(text) ?? crypto.randomUUID()
      sent.set(text, key)
      return placeOrder(body, key, signal)
    },
    onSuccess: async ({ code, matched }) => {
      toasts.tell(matched ? texts.onFile(code) : texts.placed(code))
      onClose()
      await navigate({ to: '/orders/$code', params: { code } })
      await queries.invalidateQueries({ queryKey: ['orders'] })
    },
  })
}

interface FieldsProps {
  draft: Draft
  catalog: CatalogFileOutput
  errors: Partial<Record<keyof Draft, string>>
  onChange: (changes: Partial<Draft>) => void
}

function Fields({ draft, catalog, errors, onChange }: FieldsProps) {
  const words = useWords()
  const { newOrder: texts } = words
  const offered = offeredFor(draft, catalog)
  const text = (name: TextName, more: object = {}) => (
    <TextField
      label={texts.fields[name]}
      autoComplete="off"
      value={draft[name]}
      error={errors[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
      {...more}
    />
  )
  const choice = (name: TextName, entries: readonly { id: string; name: string }[], more: object = {}) => (
    <SelectField
      label={texts.fields[name]}
      value={draft[name]}
      error={errors[name]}
      disabled={entries.length === 0}
      onChange={(event) => onChange({ [name]: event.target.value })}
      {...more}
    >
      <option value="">{texts.choose}</option>
      {entries.map((entry) => (
        <option key={entry.id} value={entry.id}>
          {entry.name}
        </option>
      ))}
    </SelectField>
  )
  const reasons = TEST_REASONS.map((id) => ({ id, name: words.testReasons[id] ?? id }))
  return (
    <>
      <Group title={texts.groups.test}>
        {choice('company', offered.companies, { 'data-autofocus': true })}
        {choice('location', offered.locations)}
        {choice('package', offered.packages)}
        {choice('testReason', reasons)}
        {offered.agencies.length > 0 && choice('agency', offered.agencies)}
        {offered.jobCategories.length > 0 && choice('jobCategory', offered.jobCategories)}
        {offered.asksObserved && (
          <label className={css.check}>
            <Check checked={draft.isObserved} onChange={(event) => onChange({ isObserved: event.target.checked })} />{' '}
            {texts.fields.isObserved}
            {errors.isObserved !== undefined && <em>{errors.isObserved}</em>}
          </label>
        )}
      </Group>
      <Group title={texts.groups.participant}>
        {text('firstName')}
        {text('lastName')}
        {text('birthDate', { type: 'date', note: texts.notes.birthDate })}
        {text('email', { type: 'email' })}
        {text('phone', { type: 'tel' })}
        <div className={css.sendBy}>
          <span>{texts.fields.sendBy}</span>
          <Choice
            look="segments"
            label={texts.fields.sendBy}
            options={(['email', 'mobile'] as const).map((value) => ({ value, label: texts.sendBy[value] }))}
            value={draft.sendBy}
            onChange={(sendBy) => onChange({ sendBy })}
          />
        </div>
      </Group>
      <Group title={texts.groups.requester}>
        {text('requesterFirstName')}
        {text('requesterLastName')}
        {text('requesterEmail', { type: 'email' })}
      </Group>
      <Group title={texts.groups.more}>
        {text('externalId', { note: texts.notes.externalId })}
        {text('billingCode', { note: texts.notes.billingCode })}
        {text('expiresIn', { inputMode: 'decimal', note: texts.notes.expiresIn })}
      </Group>
    </>
  )
}

type TextName = Exclude<keyof Draft, 'isObserved' | 'sendBy'>

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={css.group}>
    <legend>{title}</legend>
    {children}
  </fieldset>
)
