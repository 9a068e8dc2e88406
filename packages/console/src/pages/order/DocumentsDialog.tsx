import { IconDownload, IconLock } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { OrderDocument } from '@order-testing/client/operator'
import { documentsQuery, readOrderDocument } from '../../api/documents.ts'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { download } from '../../parts/download.ts'
import { Bone, sentenceOf } from '../../parts/States.tsx'
import { Time } from '../../parts/Time.tsx'
import css from './order.module.css'

/** What belongs to the order on paper. What the rules hide is named, and cannot be opened. */
export function DocumentsDialog({ read, onClose }: { read: ReadOrder; onClose: () => void }) {
  const words = useWords()
  const { id, code } = read.order
  const found = useQuery(documentsQuery(id))
  const save = useMutation({
    mutationFn: async (document: OrderDocument) => download(document.name, await readOrderDocument(id, document.id)),
  })
  const error = found.error ?? save.error
  return (
    <Dialog
      title={words.documents.title}
      subtitle={<code className={css.dialogCode}>{code}</code>}
      onClose={onClose}
      size={640}
      footer={
        <Button size="form" keys="escape" onClick={onClose}>
          {words.actions.close}
        </Button>
      }
    >
      {error && <p role="alert">{sentenceOf(error, words)}</p>}
      {found.isLoading && <Bone width={240} />}
      {found.data?.data.length === 0 && <p className={css.quiet}>{words.documents.none}</p>}
      <ul className={css.documents}>
        {found.data?.data.map((document) => (
          <li key={document.id}>
            <span>
              <b>{document.name}</b>
              <small>
                {words.documents.kinds[document.kind] ?? document.kind}
                {document.from !== null && ` · ${document.from}`} ·{' '}
                <Time at={document.at} zone={read.timezone} isReachable />
              </small>
            </span>
            {document.hiddenFor === null ? (
              <Button
                icon={<IconDownload size={15} />}
                aria-label={words.documents.save(document.name)}
                isBusy={save.isPending && save.variables.id === document.id}
                onClick={() => save.mutate(document)}
              >
                {words.documents.download}
              </Button>
            ) : (
              <span className={css.withheldDocument}>
                <IconLock size={14} /> {words.order.withheld}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className={css.quiet}>{words.documents.recorded}</p>
    </Dialog>
  )
}
