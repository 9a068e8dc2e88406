import { Modal } from '@mantine/core'
import { IconArrowRight, IconEye, IconKeyboard, IconList, IconSearch, IconSun } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { ListedOrder } from '../api/masking.ts'
import { codeOf } from '../api/order-filters.ts'
import { searchQuery } from '../api/orders.ts'
import { useWords, type Words } from '../languages/words.tsx'
import { useFocusReturn } from '../parts/focus.ts'
import { Keys } from '../parts/Keys.tsx'
import { StatusIcon } from '../parts/StatusMark.tsx'
import { lookOf } from '../parts/statuses.ts'
import { AREAS } from './areas.ts'
import { useShell } from './shell-state.ts'
import { switchTheme } from './Theme.tsx'
import css from './palette.module.css'

interface Command {
  id: string
  group: string
  icon: ReactNode
  name: ReactNode
  /** What is searched. */
  text: string
  detail?: string
  end?: ReactNode
  run: (isBeside: boolean) => void
}

/** Finds orders and does things. Arrows choose, Enter opens, ⌘Enter opens beside the list. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const words = useWords()
  useFocusReturn()
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = useDeferredValue(text.trim())
  const search = useQuery(searchQuery(wanted))
  const commands = useCommands(wanted, search.data?.found ?? [], onClose)
  const chosen = commands[Math.min(at, commands.length - 1)]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((now) => (now + step + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter') chosen?.run(event.metaKey || event.ctrlKey)
    else return
    event.preventDefault()
  }
  return (
    <Modal.Root
      opened
      onClose={onClose}
      classNames={{ content: css.palette!, overlay: css.shade! }}
      radius={12}
      size={720}
      yOffset={112}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={words.palette.label}>
        <div className={css.head}>
          <IconSearch size={18} />
          <input
            data-autofocus
            autoFocus
            role="combobox"
            aria-label={words.palette.label}
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={chosen && `${id}-${chosen.id}`}
            placeholder={words.palette.placeholder}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
          {search.data && (
            <span className={css.figure}>{words.palette.found(search.data.found.length, search.data.ms)}</span>
          )}
        </div>
        <Commands {...{ id, commands, chosen, onChoose: setAt }} />
        {search.data?.isMore && (
          <p className={css.more} role="status">
            {words.palette.more}
          </p>
        )}
        <Foot words={words} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Commands({
  id,
  commands,
  chosen,
  onChoose,
}: {
  id: string
  commands: Command[]
  chosen: Command | undefined
  onChoose: (at: number) => void
}) {
  const words = useWords()
  const groups = [...new Set(commands.map(({ group }) => group))]
  return (
    <div id={`${id}-list`} role="listbox" aria-label={words.palette.label} className={css.list}>
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group}>
          <div className={css.group} aria-hidden="true">
            {group}
          </div>
          {commands.map(
            (command, index) =>
              command.group === group && (
                <div
                  key={command.id}
                  id={`${id}-${command.id}`}
                  role="option"
                  aria-selected={command === chosen}
                  className={css.command}
                  onPointerMove={() => onChoose(index)}
                  onClick={(event) => command.run(event.metaKey || event.ctrlKey)}
                >
                  <span className={css.icon}>{command.icon}</span>
                  <span className={css.name}>{command.name}</span>
                  <span className={css.detail}>{command.detail}</span>
                  <span className={css.end}>{command.end}</span>
                </div>
              ),
          )}
        </div>
      ))}
      {commands.length === 0 && <p className={css.nothing}>{words.palette.nothing}</p>}
    </div>
  )
}

const Foot = ({ words }: { words: Words }) => (
  <div className={css.foot}>
    <span>
      <Keys keys="arrowup arrowdown" /> {words.palette.choose}
    </span>
    <span>
      <Keys keys="enter" /> {words.palette.open}
    </span>
    <span>
      <Keys keys="mod+enter" /> {words.palette.openBeside}
    </span>
    <span className={css.recorded}>
      <IconEye size={15} /> {words.palette.recorded}
    </span>
  </div>
)

function useCommands(text: string, found: ListedOrder[], onClose: () => void): Command[] {
  const words = useWords()
  const navigate = useNavigate()
  const { openShortcuts } = useShell()
  const done = (action: () => unknown) => () => {
    onClose()
    void action()
  }
  const orders = found.map((order): Command => ({
    id: order.id,
    group: words.palette.orders,
    icon: <StatusIcon {...lookOf(order.status)} />,
    name: (
      <>
        <code>{order.code}</code> {order.participant?.name}
      </>
    ),
    text: '',
    detail: [order.company?.name, order.location?.name].filter(Boolean).join(' · '),
    end: words.statuses[order.status] ?? order.status,
    run: (isBeside) => {
      onClose()
      if (isBeside) void navigate({ to: '/orders', search: { order: order.code } })
      else void navigate({ to: '/orders/$code', params: { code: order.code } })
    },
  }))
  const places = AREAS.map((area): Command => ({
    id: area.name,
    group: words.palette.goTo,
    icon: <area.icon size={16} stroke={1.75} />,
    name: words.areas[area.name],
    text: words.areas[area.name],
    end: <Keys keys={`g ${area.key}`} />,
    run: done(() => navigate({ to: area.path })),
  }))
  const actions: Command[] = [
    {
      id: 'theme',
      group: words.palette.actions,
      icon: <IconSun size={16} />,
      name: words.theme.label,
      text: words.theme.label,
      end: <Keys keys="shift+t" />,
      run: done(switchTheme),
    },
    {
      id: 'shortcuts',
      group: words.palette.actions,
      icon: <IconKeyboard size={16} />,
      name: words.account.shortcuts,
      text: words.account.shortcuts,
      end: <Keys keys="?" />,
      run: done(openShortcuts),
    },
  ]
  const listed: Command[] = text
    ? [
        {
          id: 'list',
          group: words.palette.goTo,
          icon: <IconList size={16} />,
          name: words.palette.matching(text),
          text,
          detail: words.palette.opensList,
          end: <IconArrowRight size={14} />,
          run: done(() => {
            const code = codeOf(text)
            // Words may name a person, so they stay out of the address.
            return code === undefined
              ? navigate({ to: '/orders', search: {}, state: { words: text } })
              : navigate({ to: '/orders', search: { q: code } })
          }),
        },
      ]
    : []
  const isWanted = (command: Command) => command.text.toLowerCase().includes(text.toLowerCase())
  return [...orders, ...listed, ...places.filter(isWanted), ...actions.filter(isWanted)]
}
