import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconArrowUp, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { taskCountsQuery, tasksQuery, type Task, type TaskReason, type TaskState } from '../../api/tasks.ts'
import { useWords } from '../../languages/words.tsx'
import { Button, IconButton } from '../../parts/Button.tsx'
import { Choice } from '../../parts/Field.tsx'
import { Bone, Empty, Failure, SlowNotice } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import { useHeldRows } from '../../shell/held-rows.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { useRows } from '../../shell/rows.ts'
import { useMay } from '../../shell/session.tsx'
import { useShell } from '../../shell/shell-state.ts'
import { TopBar, usePageTitle } from '../../shell/TopBar.tsx'
import { useTaskChanges } from './changes.ts'
import { groupOf, GROUPS } from './facts.ts'
import { useFinish } from './Finish.tsx'
import { useReturned, useSelectReturned } from './returned.ts'
import { TaskPanel } from './TaskPanel.tsx'
import { TaskRow } from './TaskRow.tsx'
import list from '../../shell/list.module.css'
import css from './today.module.css'

const STATES = ['open', 'mine', 'snoozed', 'done'] as const
const isState = (text: string | undefined): text is TaskState => STATES.some((state) => state === text)

/** What needs an operator now, the most urgent first. */
export default function TodayPage() {
  const words = useWords()
  const { today } = words
  usePageTitle(today.title)
  const search = useSearch({ from: '/signedIn/' })
  const navigate = useNavigate({ from: '/' })
  const state = isState(search.state) ? search.state : 'open'
  const counts = useQuery(taskCountsQuery)
  const now = useNow()
  const { openPalette } = useShell()
  const show = (next: { state?: TaskState; reason?: string; task?: string }) =>
    void navigate({ search: next, replace: 'task' in next })
  const inState = state === 'open' ? {} : { state }
  const inReason = search.reason === undefined ? {} : { reason: search.reason }
  const open = (task: string | undefined) => show({ ...inState, ...inReason, ...(task === undefined ? {} : { task }) })
  const states = (
    <Choice
      look="segments"
      label={today.statesLabel}
      value={state}
      onChange={(next) => show(next === 'open' ? {} : { state: next })}
      options={STATES.map((each) => ({ value: each, label: today.states[each], count: counts.data?.[each] }))}
    />
  )
  return (
    <>
      <TopBar title={today.title} detail={times.weekday(words, now)}>
        {states}
        <span data-keep className={css.states}>
          <IconButton label={words.actions.search} onClick={openPalette}>
            <IconSearch size={18} />
          </IconButton>
        </span>
      </TopBar>
      <div className={list.split}>
        <section className={list.list}>
          <div className={`${list.bar} ${css.states}`}>{states}</div>
          {state === 'open' && (
            <Reasons
              counts={counts.data?.reasons ?? {}}
              total={counts.data?.open}
              chosen={search.reason ?? ''}
              onChoose={(reason) => show(reason === '' ? {} : { reason })}
            />
          )}
          <Tasks
            key={`${state} ${search.reason}`}
            state={state}
            reason={search.reason}
            opened={search.task}
            onOpen={open}
            now={now}
          />
        </section>
        {search.task !== undefined && (
          <TaskPanel key={search.task} id={search.task} now={now} onClose={() => open(undefined)} />
        )}
      </div>
    </>
  )
}

const TICK_MS = 30_000

/** Time passes while nothing else happens. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

interface ReasonsProps {
  counts: Record<string, number>
  total: number | undefined
  chosen: string
  onChoose: (reason: string) => void
}

function Reasons({ counts, total, chosen, onChoose }: ReasonsProps) {
  const { today } = useWords()
  const offered = Object.keys(today.chips).filter((reason) => (counts[reason] ?? 0) > 0 || reason === chosen)
  const all = { value: '', label: today.all, count: total }
  return (
    <div className={list.bar}>
      <Choice
        label={today.reasonsLabel}
        value={chosen}
        onChange={onChoose}
        options={[
          all,
          ...offered.map((reason) => ({ value: reason, label: today.chips[reason]!, count: counts[reason] })),
        ]}
      />
    </div>
  )
}

interface TasksProps {
  state: TaskState
  reason: string | undefined
  opened: string | undefined
  onOpen: (id: string | undefined) => void
  now: Date
}

const idOf = ({ id }: Task) => id

function Tasks({ state, reason, opened, onOpen, now }: TasksProps) {
  const { today } = useWords()
  const query = useInfiniteQuery(tasksQuery(state, reason as TaskReason | undefined))
  const loaded = query.data?.pages.flatMap(({ data }) => data) ?? []
  const [isHeld, setHeld] = useState(opened !== undefined)
  const returned = useReturned()
  const isReturned = ({ id }: Task) => id === returned
  const { shown, fresh, showFresh } = useHeldRows(loaded, { idOf, list: 'tasks', isHeld, isOwn: isReturned })
  const { at, setAt } = useRows({ rows: shown, opened, idOf, onOpen })
  useSelectReturned(shown.findIndex(isReturned), setAt)
  if (!isHeld && (at >= 0 || opened !== undefined)) setHeld(true)
  const keys = useTaskKeys(shown[at], { at, rows: shown, opened, onOpen })
  if (query.error && shown.length === 0) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.isLoading) return <Bones />
  if (shown.length === 0)
    return state === 'open' ? (
      <Empty title={today.empty} detail={today.emptyDetail} />
    ) : (
      <Empty title={today.emptyOther} detail={today.emptyOtherDetail} />
    )
  const row = (task: Task) => {
    const index = shown.indexOf(task)
    return (
      <TaskRow
        key={task.id}
        task={task}
        now={now}
        isAt={index === at}
        isFirst={index === Math.max(0, at)}
        opened={opened}
        onAt={() => setAt(index)}
        onOpen={() => onOpen(task.id)}
        snooze={keys.snoozeOf(task)}
      />
    )
  }
  return (
    <div className={css.scroll}>
      {fresh > 0 && (
        <button type="button" className={css.fresh} onClick={showFresh}>
          <IconArrowUp size={14} /> {today.fresh(fresh)}
        </button>
      )}
      {state === 'open' || state === 'mine'
        ? GROUPS.map((group) => {
            const tasks = shown.filter((task) => groupOf(task, now) === group)
            return tasks.length > 0 && <Group key={group} name={group} rows={tasks.map(row)} />
          })
        : shown.map(row)}
      {query.hasNextPage && (
        <div className={css.more}>
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {today.more}
          </Button>
        </div>
      )}
      {keys.dialog}
    </div>
  )
}

function Group({ name, rows }: { name: (typeof GROUPS)[number]; rows: React.ReactNode[] }) {
  const { today } = useWords()
  return (
    <section aria-label={today.groups[name]}>
      <h2 className={css.group}>
        {today.groups[name]} <small>{rows.length}</small>
      </h2>
      {rows}
    </section>
  )
}

interface Place {
  at: number
  rows: readonly Task[]
  opened: string | undefined
  onOpen: (id: string | undefined) => void
}

/** C claims, S snoozes and E finishes the task of the row. The panel has the same keys while it is open, and answers first. */
function useTaskKeys(task: Task | undefined, { at, rows, opened, onOpen }: Place) {
  const changes = useTaskChanges()
  const mayWrite = useMay('operator.orders.write', 'operator.tasks.write')
  const [snoozing, setSnoozing] = useState<{ task: Task; isOpen: boolean }>()
  const isActive = mayWrite && task !== undefined
  const { finish, dialog } = useFinish(() => {
    // The panel goes on to what is next.
    if (opened !== undefined) onOpen((rows[at + 1] ?? rows[at - 1])?.id)
  })
  useShortcut('c', () => task && changes.claim(task), isActive)
  useShortcut('e', () => task && finish(task), isActive && task.doneAt === null)
  useShortcut(
    's',
    () => task && setSnoozing({ task, isOpen: true }),
    isActive && task.doneAt === null && opened === undefined,
  )
  const snoozeOf = ({ id }: Task) =>
    snoozing?.task.id === id
      ? {
          isOpen: snoozing.isOpen,
          onOpen: (isOpen: boolean) => setSnoozing({ ...snoozing, isOpen }),
          onSnooze: (until: Date) => changes.snooze(snoozing.task, until),
        }
      : undefined
  return { dialog, snoozeOf }
}

const Bones = () => (
  <div className={css.scroll}>
    {Array.from({ length: 8 }, (_, index) => (
      <div key={index} className={css.bones}>
        <Bone width={`${30 + ((index * 7) % 20)}%`} />
        <Bone width="20%" />
      </div>
    ))}
    <SlowNotice />
  </div>
)
