import { Menu } from '@mantine/core'
import { IconBellZ } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { snoozeTimes } from './facts.ts'

const CHOICES = ['hour', 'tomorrow', 'week'] as const

/** The button of the panel, with its key. */
export function Snooze({ onSnooze }: { onSnooze: (until: Date) => void }) {
  const { today } = useWords()
  const [isOpen, setOpen] = useState(false)
  useShortcut('s', () => setOpen(true))
  return (
    <SnoozeMenu isOpen={isOpen} onOpen={setOpen} onSnooze={onSnooze}>
      <Button icon={<IconBellZ size={15} />} keys="s">
        {today.snooze}
      </Button>
    </SnoozeMenu>
  )
}

interface MenuProps {
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onSnooze: (until: Date) => void
  /** What it opens at. */
  children: ReactNode
}

/** In an hour, tomorrow morning, next week, or at a time that is picked. */
export function SnoozeMenu({ isOpen, onOpen, onSnooze, children }: MenuProps) {
  const words = useWords()
  const { today } = words
  const [isPicking, setPicking] = useState(false)
  const [opened, setOpened] = useState({ isOpen, now: new Date() })
  // Times count from when the menu opens.
  if (opened.isOpen !== isOpen) setOpened({ isOpen, now: new Date() })
  const choices = snoozeTimes(opened.now)
  return (
    <>
      <Menu opened={isOpen} onChange={onOpen} width={230}>
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          {CHOICES.map((name) => (
            <Menu.Item
              key={name}
              rightSection={times.inZone(words, choices[name])}
              onClick={() => onSnooze(choices[name])}
            >
              {today.snoozes[name]}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setPicking(true)}>{today.snoozes.pick}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPicking && <PickDialog first={choices.tomorrow} onClose={() => setPicking(false)} onPick={onSnooze} />}
    </>
  )
}

const LONGEST_MS = 30 * 86_400_000

function PickDialog({ first, onClose, onPick }: { first: Date; onClose: () => void; onPick: (until: Date) => void }) {
  const words = useWords()
  const { today } = words
  const [local, setLocal] = useState(() => times.toLocal(first))
  const [now] = useState(() => Date.now())
  const until = local === '' ? undefined : new Date(times.toInstant(local))
  const isPossible = until !== undefined && until.getTime() > now && until.getTime() <= now + LONGEST_MS
  const pick = () => {
    if (!isPossible) return
    onPick(until)
    onClose()
  }
  return (
    <AskDialog
      title={today.snoozeTitle}
      size={400}
      onClose={onClose}
      onConfirm={pick}
      leave={words.book.keep}
      confirm={today.snooze}
      isReady={isPossible}
    >
      <TextField
        label={today.snoozeTime}
        data-autofocus
        type="datetime-local"
        value={local}
        note={today.snoozeNote}
        error={isPossible ? undefined : today.snoozeNote}
        end={times.zoneName(words)}
        onChange={(event) => setLocal(event.target.value)}
      />
    </AskDialog>
  )
}
