import { Popover } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { orderCountQuery } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { filtersOf, type OrdersSearch } from './search.ts'
import { isSameView, removeView, saveView, useViews, type View } from './views.ts'
import css from './orders.module.css'

/** Saved views as tabs. Two that most people need are there from the start. */
export function ViewTabs({ search }: { search: OrdersSearch }) {
  const words = useWords()
  const saved = useViews()
  const views: View[] = [
    { name: words.orders.all, search: {} },
    { name: words.statuses['pending'] ?? '', search: { status: 'pending' } },
    { name: words.statuses['scheduled'] ?? '', search: { status: 'scheduled' } },
    ...saved,
  ]
  const isKnown = views.some((view) => isSameView(view.search, search))
  return (
    <nav className={css.tabs} aria-label={words.orders.title}>
      {views.map((view) => (
        <Tab key={view.name} view={view} isCurrent={isSameView(view.search, search)} isOwn={saved.includes(view)} />
      ))}
      {!isKnown && <SaveView search={search} />}
    </nav>
  )
}

function Tab({ view, isCurrent, isOwn }: { view: View; isCurrent: boolean; isOwn: boolean }) {
  const words = useWords()
  const count = useQuery(orderCountQuery(filtersOf(view.search)))
  return (
    <span className={css.tab} data-current={isCurrent}>
      <Link to="/orders" search={view.search} aria-current={isCurrent ? 'page' : undefined}>
        {view.name} <span className={css.tabCount}>{count.data?.toLocaleString(words.locale)}</span>
      </Link>
      {isOwn && isCurrent && (
        <button type="button" aria-label={words.orders.removeView(view.name)} onClick={() => removeView(view.name)}>
          <IconX size={13} />
        </button>
      )}
    </span>
  )
}

function SaveView({ search: { order: _, ...search } }: { search: OrdersSearch }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={css.saveView} onClick={() => setOpen(true)}>
          <IconPlus size={15} /> {words.orders.saveView}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const name = new FormData(event.currentTarget).get('name')
            if (typeof name !== 'string' || name.trim() === '') return
            saveView({ name: name.trim(), search })
            setOpen(false)
          }}
        >
          <input
            name="name"
            data-autofocus
            maxLength={40}
            className={css.optionSearch}
            aria-label={words.orders.viewName}
            placeholder={words.orders.viewName}
          />
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
