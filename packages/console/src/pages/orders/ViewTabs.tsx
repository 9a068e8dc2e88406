import { Menu, Popover } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconChevronDown, IconPlus, IconUsers } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SavedView } from '@order-testing/client/operator'
import { useState } from 'react'
import { orderCountQuery } from '../../api/orders.ts'
import { changeView, deleteView, saveView, savedViewsQuery } from '../../api/views.ts'
import { useWords } from '../../languages/words.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { filtersOf, type OrdersSearch } from './search.ts'
import { canSave, filtersToSave, isSameView, searchOfView, type ViewSearch } from './views.ts'
import css from './orders.module.css'

interface Tab {
  key: string
  name: string
  search: ViewSearch
  saved?: SavedView
}

/** Saved views as tabs. Two that most people need are there from the start. */
export function ViewTabs({ search }: { search: OrdersSearch }) {
  const words = useWords()
  const saved = useQuery(savedViewsQuery).data ?? []
  const tabs: Tab[] = [
    { key: 'all', name: words.orders.all, search: {} },
    { key: 'pending', name: words.statuses['pending'] ?? '', search: { status: 'pending' } },
    { key: 'scheduled', name: words.statuses['scheduled'] ?? '', search: { status: 'scheduled' } },
    ...saved.map((view) => ({ key: view.id, name: view.name, search: searchOfView(view.filters), saved: view })),
  ]
  const current = tabs.find((tab) => isSameView(tab.search, search))
  const own = saved.filter(({ isMine }) => isMine)
  return (
    <nav className={css.tabs} aria-label={words.orders.title}>
      {tabs.map((tab) => (
        <TabLink key={tab.key} tab={tab} isCurrent={tab === current} own={own} />
      ))}
      {!current && canSave(search) && <SaveView search={search} />}
    </nav>
  )
}

function TabLink({ tab, isCurrent, own }: { tab: Tab; isCurrent: boolean; own: SavedView[] }) {
  const words = useWords()
  const count = useQuery(orderCountQuery(filtersOf(tab.search)))
  const { saved } = tab
  return (
    <span className={css.tab} data-current={isCurrent}>
      <Link to="/orders" search={tab.search} aria-current={isCurrent ? 'page' : undefined}>
        {saved?.isShared && (
          <IconUsers
            size={13}
            aria-label={saved.isMine ? words.views.shared : words.views.sharedBy(saved.owner.name ?? saved.owner.id)}
          />
        )}{' '}
        {tab.name} <span className={css.tabCount}>{count.data?.toLocaleString(words.locale)}</span>
      </Link>
      {saved?.isMine && isCurrent && <ViewMenu view={saved} own={own} />}
    </span>
  )
}

/** Rename, share, move and delete, for the view that is shown. */
function ViewMenu({ view, own }: { view: SavedView; own: SavedView[] }) {
  const words = useWords()
  const [isRenaming, setRenaming] = useState(false)
  const { change, remove } = useChanges(view)
  const place = own.findIndex(({ id }) => id === view.id) + 1
  return (
    <Popover opened={isRenaming} onChange={setRenaming} position="bottom-start" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <span>
          <Menu position="bottom-start">
            <Menu.Target>
              <button type="button" aria-label={words.views.menu(view.name)}>
                <IconChevronDown size={14} />
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setRenaming(true)}>{words.views.rename}</Menu.Item>
              <Menu.Item onClick={() => change({ isShared: !view.isShared })}>
                {view.isShared ? words.views.unshare : words.views.share}
              </Menu.Item>
              {place > 1 && (
                <Menu.Item leftSection={<IconArrowLeft size={15} />} onClick={() => change({ position: place - 1 })}>
                  {words.views.left}
                </Menu.Item>
              )}
              {place < own.length && (
                <Menu.Item leftSection={<IconArrowRight size={15} />} onClick={() => change({ position: place + 1 })}>
                  {words.views.right}
                </Menu.Item>
              )}
              <Menu.Item onClick={remove}>{words.views.delete}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      </Popover.Target>
      <Popover.Dropdown>
        <NameForm
          name={view.name}
          onSubmit={(name) => {
            setRenaming(false)
            change({ name })
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function useChanges(view: SavedView) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const refresh = { onSettled: () => queries.invalidateQueries({ queryKey: savedViewsQuery.queryKey }) }
  const onError = (error: Error) => toasts.warn(error.message)
  const changing = useMutation({
    mutationFn: (body: Parameters<typeof changeView>[1]) => changeView(view.id, body),
    onError,
    ...refresh,
  })
  const restore = useMutation({
    mutationFn: async (position: number) => {
      const { name, filters, isShared } = view
      const { id } = await saveView({ name, filters: filtersToSave(searchOfView(filters)), isShared })
      await changeView(id, { position })
    },
    onError,
    ...refresh,
  })
  const removing = useMutation({
    mutationFn: () => deleteView(view.id),
    onSuccess: () => {
      const views = queries.getQueryData(savedViewsQuery.queryKey) ?? []
      const position = views.findIndex(({ id }) => id === view.id) + 1
      toasts.tellUndoable(words.views.deleted(view.name), () => restore.mutate(Math.max(1, position)))
    },
    onError,
    ...refresh,
  })
  return { change: changing.mutate, remove: () => removing.mutate() }
}

function SaveView({ search: { order: _, ...search } }: { search: OrdersSearch }) {
  const words = useWords()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const saving = useMutation({
    mutationFn: (name: string) => saveView({ name, filters: filtersToSave(search) }),
    onError: (error) => toasts.warn(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: savedViewsQuery.queryKey }),
  })
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={css.saveView} onClick={() => setOpen(true)}>
          <IconPlus size={15} /> {words.orders.saveView}
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <NameForm
          onSubmit={(name) => {
            setOpen(false)
            saving.mutate(name)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function NameForm({ name = '', onSubmit }: { name?: string; onSubmit: (name: string) => void }) {
  const words = useWords()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('name')
        if (typeof typed === 'string' && typed.trim() !== '') onSubmit(typed.trim())
      }}
    >
      <input
        name="name"
        data-autofocus
        maxLength={40}
        defaultValue={name}
        className={css.optionSearch}
        aria-label={words.orders.viewName}
        placeholder={words.orders.viewName}
      />
    </form>
  )
}
