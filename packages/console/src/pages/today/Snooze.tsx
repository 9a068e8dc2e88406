import { Menu } from '@mantine/core'
import { IconBellZ } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { AskDialog } from '../../parts/AskDialog.tsx'
import { TextField } from '../../parts/Field.tsx'
import * as times from '../../parts/times.ts'
import { useShortcut } from '../../shell/keyboard.tsx'
import { snoozeTimes } from './facts.ts'

const CHOICES = ['hour', 'tomorrow', 'week'] as const

/** In an hour, tomorrow morning, next week, or at a time that is picked. */
export function Snooze({ onSnooze }: { onSnooze: (until: Date) => void }) {
  const words = useWords()
  const { today } = words
  const [opened, setOpened] = useState<'menu' | 'pick'>()
  const [now, setNow] = useState(() => new Date())
  const open = () => {
    setNow(new Date())
    setOpened('menu')
  }
  useShortcut('s', open)
  const choices = snoozeTimes(now)
  return (
    <>
      <Menu opened={opened === 'menu'} onChange={(isOpen) => (isOpen ? open() : setOpened(undefined))} width={230}>
        <Menu.Target>
          <Button icon={<IconBellZ size={15} />} keys="s">
            {today.snooze}
          </Button>
        </Menu.Target>
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
          <Menu.Item onClick={() => setOpened('pick')}>{today.snoozes.pick}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {opened === 'pick' && (
        <PickDialog first={choices.tomorrow} onClose={() => setOpened(undefined)} onPick={onSnooze} />
      )}
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
