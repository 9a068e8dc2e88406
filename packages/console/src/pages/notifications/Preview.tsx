import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { previewQuery } from '../../api/notifications.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { Failure, SlowNotice } from '../../parts/States.tsx'
import { useMay } from '../../shell/session.tsx'
import list from '../../shell/list.module.css'

/** What a notification would say now, once somebody asks: it may name the participant, so the read is recorded. */
export function Preview({ id }: { id: string }) {
  const { notifications } = useWords()
  const mayRead = useMay('operator.participants.read')
  const [isShown, setShown] = useState(false)
  const preview = useQuery({ ...previewQuery(id), enabled: isShown })
  if (!mayRead) return null
  return (
    <section className={list.section} aria-label={notifications.preview}>
      <h3>{notifications.preview}</h3>
      <p className={list.quiet}>{notifications.previewNote}</p>
      {!isShown ? (
        <Button onClick={() => setShown(true)}>{notifications.showPreview}</Button>
      ) : preview.error ? (
        <Failure error={preview.error} onRetry={() => void preview.refetch()} />
      ) : !preview.data ? (
        <SlowNotice />
      ) : (
        <Text {...preview.data} />
      )}
    </section>
  )
}

function Text({ subject, text }: { subject: string | null; text: string | null }) {
  const { notifications } = useWords()
  if (text === null) return <p role="status">{notifications.previewGone}</p>
  return (
    <>
      {subject !== null && (
        <p>
          <span className={list.quiet}>{notifications.previewSubject}:</span> <b className={list.strong}>{subject}</b>
        </p>
      )}
      <pre className={list.code}>{text.trim()}</pre>
    </>
  )
}
