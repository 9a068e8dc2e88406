import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords, type Words } from '../languages/words.tsx'
import { Check } from '../parts/Field.tsx'
import { useFocusReturn } from '../parts/focus.ts'
import { Keys } from '../parts/Keys.tsx'
import { AREAS } from './areas.ts'
import { change, useSettings } from './settings.ts'
import css from './shortcuts.module.css'

type Line = [name: string, keys: string[]]

/** Every key of the console. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const words = useWords()
  useFocusReturn()
  const { hasSingleKeys } = useSettings()
  const [text, setText] = useState('')
  const columns = columnsOf(words)
  return (
    <Modal.Root
      opened
      onClose={onClose}
      classNames={{ content: css.sheet!, overlay: css.shade! }}
      radius={12}
      size={980}
      centered
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={css.head}>
          <Modal.Title className={css.title}>{words.shortcuts.title}</Modal.Title>
          <label className={css.single}>
            <Check checked={hasSingleKeys} onChange={(event) => change({ hasSingleKeys: event.target.checked })} />
            {words.account.singleKeys}
          </label>
          <span className={css.find}>
            <IconSearch size={15} />
            <input
              data-autofocus
              aria-label={words.shortcuts.find}
              placeholder={words.shortcuts.find}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </span>
          <Keys keys="escape" />
        </div>
        {/* On small screens it scrolls, and keys must reach it. */}
        <div className={css.columns} tabIndex={0}>
          {columns.map((groups, index) => (
            <div key={index}>
              {groups.map(([title, lines]) => (
                <Group key={title} title={title} lines={lines.filter(([name]) => matches(name, text))} />
              ))}
            </div>
          ))}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}

const matches = (name: string, text: string) => name.toLowerCase().includes(text.trim().toLowerCase())

function Group({ title, lines }: { title: string; lines: Line[] }) {
  const words = useWords()
  if (lines.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <dl>
        {lines.map(([name, keys]) => (
          <div key={name} className={css.line}>
            <dt>{name}</dt>
            <dd>
              {keys.map((each) => (
                <Keys key={each} keys={each} then={`${words.shortcuts.thenKey} `} />
              ))}
              <span className="hidden-visually">{keys.join(', ')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function columnsOf({ shortcuts: { groups, names }, areas }: Words): [title: string, lines: Line[]][][] {
  const anywhere: Line[] = [
    [names.search, ['mod+k']],
    [names.sheet, ['?']],
    [names.undo, ['z']],
    [names.theme, ['shift+t']],
    [names.lock, ['shift+l']],
  ]
  const goTo = AREAS.map((area): Line => [areas[area.name], [`g ${area.key}`]])
  const lists: Line[] = [
    [names.move, ['j', 'k']],
    [names.beside, ['enter']],
    [names.page, ['o']],
    [names.select, ['x']],
    [names.selectRange, ['shift+x']],
    [names.selectAll, ['shift+a']],
    [names.newOrder, ['n']],
    [names.filter, ['f']],
    [names.searchList, ['/']],
    [names.close, ['escape']],
  ]
  const order: Line[] = [
    [names.book, ['b']],
    [names.moveStatus, ['m']],
    [names.sendLink, ['r']],
    [names.reveal, ['v']],
    [names.extend, ['d']],
    [names.copyCode, ['shift+c']],
    [names.timeline, ['t']],
    [names.neighbors, ['j', 'k']],
    [names.viewAs, ['shift+p']],
    [names.documents, ['shift+d']],
  ]
  const today: Line[] = [
    [names.claim, ['c']],
    [names.snooze, ['s']],
    [names.done, ['e']],
  ]
  const dialogs: Line[] = [
    [names.confirm, ['mod+enter']],
    [names.leave, ['escape']],
  ]
  return [
    [
      [groups.anywhere, anywhere],
      [groups.goTo, goTo],
    ],
    [
      [groups.lists, lists],
      [areas.today, today],
      [
        groups.results,
        [
          [names.assign, ['1', '2', '3']],
          [names.dismiss, ['d']],
          [names.codes, ['m']],
          [names.searchList, ['/']],
        ],
      ],
    ],
    [
      [groups.order, order],
      [
        areas.bookings,
        [
          [names.newBooking, ['n']],
          [names.rebook, ['r']],
          [names.print, ['p']],
          [names.week, ['w']],
          [names.todayDate, ['t']],
          [names.days, ['arrowleft', 'arrowright']],
        ],
      ],
      [groups.dialogs, dialogs],
    ],
  ]
}
