import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { OperatorSender } from '@order-testing/client/operator'
import { useState, type FormEvent } from 'react'
import { catalogQuery } from '../../api/catalog.ts'
import { forgetCode, rememberCode } from '../../api/results.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { SelectField, TextField } from '../../parts/Field.tsx'
import { sentenceOf } from '../../parts/States.tsx'
import { Tag } from '../../parts/Tag.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import list from '../../shell/list.module.css'
import css from './tokens.module.css'

interface Props {
  sender: OperatorSender
  onClose: () => void
}

type Code = OperatorSender['codes'][number]

/** What a sender means by its codes: those of the catalog, and those that can be added and forgotten here. */
export function SenderCodes({ sender, onClose }: Props) {
  const words = useWords()
  const { tokens } = words
  const { codes: texts } = words.results
  const { add, forget, error } = useCodes(sender)
  const maySeeServices = useMay('operator.catalog.read')
  const mayWrite = useMay('operator.results.write')
  return (
    <Dialog
      title={tokens.codesTitle(sender.id)}
      subtitle={tokens.codesNote}
      size={720}
      onClose={onClose}
      footer={
        <Button size="form" keys="escape" onClick={onClose}>
          {words.actions.close}
        </Button>
      }
    >
      {error !== null && (
        <p role="alert" className={css.problem}>
          {sentenceOf(error, words)}
        </p>
      )}
      {sender.codes.length === 0 && <p className={list.quiet}>{texts.none}</p>}
      <CodeList sender={sender} onForget={mayWrite ? forget : undefined} />
      {mayWrite && maySeeServices && <NewCode sender={sender} onAdd={add} />}
    </Dialog>
  )
}

function CodeList({ sender, onForget }: { sender: OperatorSender; onForget: ((code: Code) => void) | undefined }) {
  const words = useWords()
  const { codes: texts } = words.results
  return (
    <ul className={css.scopes}>
      {sender.codes.map((code) => (
        <li key={`${code.lab} ${code.code}`} className={css.sender}>
          <div>
            <code>{code.code}</code> <ServiceName id={code.service} />
            <span>{code.lab}</span>
          </div>
          {code.origin === 'catalog' ? (
            <Tag tone="neutral">{texts.origins.catalog}</Tag>
          ) : (
            onForget && (
              <Button aria-label={texts.forgetCode(code.code, code.lab)} onClick={() => onForget(code)}>
                {texts.forget}
              </Button>
            )
          )}
        </li>
      ))}
    </ul>
  )
}

const useServices = () => useQuery({ ...catalogQuery, enabled: useMay('operator.catalog.read') }).data?.services ?? []

function ServiceName({ id }: { id: string }) {
  const service = useServices().find((each) => each.id === id)
  return <b title={id}>{service?.name ?? id}</b>
}

function NewCode({
  sender,
  onAdd,
}: {
  sender: OperatorSender
  onAdd: (code: Omit<Code, 'origin'>) => Promise<boolean>
}) {
  const { tokens, results } = useWords()
  const labs = sender.labs ?? [sender.id]
  const services = useServices()
  const [lab, setLab] = useState(labs[0] ?? '')
  const [code, setCode] = useState('')
  const [service, setService] = useState('')
  const isReady = code.trim() !== '' && service !== '' && lab !== ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    if (await onAdd({ lab, code: code.trim(), service })) setCode('')
  }
  if (labs.length === 0) return null
  return (
    <form className={css.newCode} onSubmit={(event) => void submit(event)}>
      <TextField label={results.codes.code} value={code} onChange={(event) => setCode(event.target.value)} />
      {labs.length > 1 && (
        <SelectField label={results.codes.lab} value={lab} onChange={(event) => setLab(event.target.value)}>
          {labs.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      )}
      <SelectField label={results.codes.service} value={service} onChange={(event) => setService(event.target.value)}>
        <option value="">{tokens.chooseService}</option>
        {services.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button type="submit" look="filled" size="form" disabled={!isReady}>
        {tokens.addCode}
      </Button>
    </form>
  )
}

function useCodes(sender: OperatorSender) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const refresh = async () => {
    for (const key of [['token', sender.token.id], ['codes'], ['result']])
      await queries.invalidateQueries({ queryKey: key })
  }
  const added = useMutation({
    mutationFn: ({ lab, code, service }: Omit<Code, 'origin'>) => rememberCode(lab, code, service),
    onSuccess: async ({ code, service }) => {
      toasts.tell(words.tokens.codeAdded(code, service.name ?? service.id))
      await refresh()
    },
  })
  const forgotten = useMutation({
    mutationFn: ({ lab, code }: Code) => forgetCode(lab, code),
    onSuccess: async (_answer, { code }) => {
      toasts.tell(words.results.codes.forgotten(code))
      await refresh()
    },
  })
  const add = (code: Omit<Code, 'origin'>) =>
    added.mutateAsync(code).then(
      () => true,
      () => false,
    )
  return { add, forget: forgotten.mutate, error: added.error ?? forgotten.error }
}
