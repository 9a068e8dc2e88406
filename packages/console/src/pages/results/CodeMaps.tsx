import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { KnownCode } from '@order-testing/client/operator'
import { useState } from 'react'
import { CODES_AT_ONCE, codesQuery, forgetCode } from '../../api/results.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { Choice } from '../../parts/Field.tsx'
import { Failure, sentenceOf, SlowNotice } from '../../parts/States.tsx'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useMay } from '../../shell/session.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import css from './results.module.css'

const ORIGINS = ['learned', 'catalog'] as const

/** What laboratories mean by their codes. */
export function CodeMaps() {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  useShortcut('m', () => setOpen(true), !isOpen)
  return (
    <>
      <Button keys="m" onClick={() => setOpen(true)}>
        {words.results.codes.title}
      </Button>
      {isOpen && <CodesDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function CodesDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const { codes: texts } = words.results
  const [origin, setOrigin] = useState<(typeof ORIGINS)[number]>('learned')
  const [page, setPage] = useState(1)
  const found = useQuery(codesQuery(origin, page))
  const forget = useForget()
  const mayWrite = useMay('operator.results.write')
  const rows = found.data?.data ?? []
  const pages = Math.ceil((found.data?.total ?? 0) / CODES_AT_ONCE)
  return (
    <Dialog
      title={texts.title}
      subtitle={texts.note}
      size={720}
      onClose={onClose}
      footer={
        <>
          {pages > 1 && (
            <>
              <Button size="form" disabled={page === 1} onClick={() => setPage(page - 1)}>
                {words.actions.earlier}
              </Button>
              <span>{`${page} / ${pages}`}</span>
              <Button size="form" disabled={page >= pages} onClick={() => setPage(page + 1)}>
                {words.actions.later}
              </Button>
            </>
          )}
          <Button size="form" keys="escape" onClick={onClose}>
            {words.actions.close}
          </Button>
        </>
      }
    >
      <Choice
        look="segments"
        label={texts.origin}
        value={origin}
        onChange={(next) => {
          setOrigin(next)
          setPage(1)
        }}
        options={ORIGINS.map((value) => ({ value, label: texts.origins[value] }))}
      />
      {forget.error && (
        <p role="alert" className={css.problem}>
          {sentenceOf(forget.error, words)}
        </p>
      )}
      {found.error && <Failure error={found.error} onRetry={() => void found.refetch()} />}
      {found.isLoading && <SlowNotice />}
      {found.data && rows.length === 0 && <p className={css.noOrder}>{texts.none}</p>}
      {rows.length > 0 && (
        <CodeTable rows={rows} onForget={mayWrite && origin === 'learned' ? forget.mutate : undefined} />
      )}
    </Dialog>
  )
}

interface TableProps {
  rows: KnownCode[]
  onForget: ((code: KnownCode) => void) | undefined
}

function CodeTable({ rows, onForget }: TableProps) {
  const { codes: texts } = useWords().results
  return (
    <table className={css.codes}>
      <thead>
        <tr>
          <th>{texts.lab}</th>
          <th>{texts.code}</th>
          <th>{texts.service}</th>
          {onForget && (
            <th>
              <span className="hidden-visually">{texts.forget}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.url}>
            <td>{row.lab}</td>
            <td>
              <code>{row.code}</code>
            </td>
            <td>{row.service.name ?? row.service.id}</td>
            {onForget && (
              <td>
                <Button aria-label={texts.forgetCode(row.code, row.lab)} onClick={() => onForget(row)}>
                  {texts.forget}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function useForget() {
  const { codes: texts } = useWords().results
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ lab, code }: KnownCode) => forgetCode(lab, code),
    onSuccess: async (_answer, { code }) => {
      toasts.tell(texts.forgotten(code))
      for (const key of ['codes', 'result']) await queries.invalidateQueries({ queryKey: [key] })
    },
  })
}
