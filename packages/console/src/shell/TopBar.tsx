import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { useWords } from '../languages/words.tsx'
import css from './shell.module.css'

/** The head of a page: its title, how many, and what can be done. */
export function TopBar({
  title,
  detail,
  back,
  children,
}: {
  title: ReactNode
  detail?: ReactNode
  back?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className={css.topBar}>
      {back}
      <h1>{title}</h1>
      {detail !== undefined && <span className={css.topDetail}>{detail}</span>}
      <div className={css.topActions}>{children}</div>
    </header>
  )
}

/** The way back on small screens, and the trail on large ones. */
export function Trail({ to, label }: { to: '/orders'; label: string }) {
  return (
    <Link to={to} className={css.trail} aria-label={label}>
      <IconChevronLeft size={18} className={css.trailIcon} />
      <span>{label}</span>
      <span aria-hidden="true" className={css.trailMark}>
        ›
      </span>
    </Link>
  )
}

export function usePageTitle(title: string): void {
  const words = useWords()
  useEffect(() => {
    document.title = `${title} · ${words.console}`
  }, [title, words])
}
