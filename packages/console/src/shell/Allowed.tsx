import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import { useMay } from './session.tsx'
import { TopBar, usePageTitle } from './TopBar.tsx'
import list from './list.module.css'

/** A page for those who have the scope; the others read why they do not see it. */
export function Allowed({ title, scope, children }: { title: string; scope: string; children: ReactNode }) {
  const words = useWords()
  usePageTitle(title)
  if (useMay(scope)) return children
  return (
    <>
      <TopBar title={title} />
      <p className={list.banner} data-tone="neutral">
        <IconLock size={16} /> {words.refusals.scope(scope)}
      </p>
    </>
  )
}
