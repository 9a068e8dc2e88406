import { useEffect, useRef, useState } from 'react'
import { withPatience } from '../api/failures.ts'
import { useWords } from '../languages/words.tsx'
import { Button } from '../parts/Button.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { download } from '../parts/download.ts'
import { exportAll, type ReadPart } from '../parts/export.ts'
import { Progress } from '../parts/Progress.tsx'
import { sentenceOf } from '../parts/States.tsx'
import { useToasts } from './toasts.tsx'

interface Props {
  /** The title, what the progress says, and the message at the end. */
  texts: { title: string; reading: string; exported: (count: number) => string }
  fileName: string
  readPart: ReadPart
  total: number
  onClose: () => void
}

/** Reads all rows of a filter into a file, with a way to stop. What it is given is read once, when it opens. */
export function ExportDialog(props: Props) {
  const words = useWords()
  const toasts = useToasts()
  const [given] = useState(props)
  const [read, setRead] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => {
    // Begun once, also where React runs effects twice.
    if (stopping.current) return
    const { signal } = (stopping.current = new AbortController())
    let count = 0
    const onProgress = (now: number) => setRead((count = now))
    const readPart: ReadPart = (part) => withPatience(() => given.readPart(part), { signal })
    exportAll(readPart, { signal, onProgress }).then((file) => {
      if (file) {
        download(given.fileName, file)
        toasts.tell(given.texts.exported(count))
      } else toasts.tell(words.exporting.stopped)
      given.onClose()
    }, setFailure)
  }, [given, toasts, words])
  const stop = () => {
    stopping.current?.abort()
    if (failure !== undefined) given.onClose()
  }
  return (
    <Dialog
      title={given.texts.title}
      onClose={stop}
      footer={
        <Button size="form" keys="escape" onClick={stop}>
          {failure === undefined ? words.bulk.stop : words.actions.close}
        </Button>
      }
    >
      {failure === undefined ? (
        <Progress text={given.texts.reading} done={read} of={Math.max(given.total, read)} />
      ) : (
        <p role="alert">{sentenceOf(failure, words)}</p>
      )}
    </Dialog>
  )
}
