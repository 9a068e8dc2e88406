import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { IconWifiOff } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import type { Session } from '../api/session.ts'
import { useWords } from '../languages/words.tsx'
import { lazyPart } from '../parts/lazy-part.tsx'
import { PartBoundary } from '../parts/PartBoundary.tsx'
import * as times from '../parts/times.ts'
import { AREAS } from './areas.ts'
import { BottomBar } from './BottomBar.tsx'
import { useOfflineSince } from './presence.ts'
import { useKeyboard, useShortcut } from './keyboard.tsx'
import { LiveArea, useLive } from './live.tsx'
import { useLock } from './lock.ts'
import { LockScreen } from './LockScreen.tsx'
import { SessionContext } from './session.tsx'
import { ShellContext } from './shell-state.ts'
import { Sidebar } from './Sidebar.tsx'
import { switchTheme } from './Theme.tsx'
import { ToastArea } from './toasts.tsx'
import css from './shell.module.css'

const loadPalette = () => import('./Palette.tsx')
const Palette = lazyPart(loadPalette)
const loadShortcuts = () => import('./ShortcutSheet.tsx')
const ShortcutSheet = lazyPart(loadShortcuts)

/** What surrounds every page. Pages scroll, the shell never does. */
export function Shell({ session }: { session: Session }) {
  const [opened, setOpened] = useState<'palette' | 'shortcuts'>()
  const { isLocked, isToldLater, reason, lock, unlock } = useLock(session)
  const state = useMemo(
    () => ({ openPalette: () => setOpened('palette'), openShortcuts: () => setOpened('shortcuts'), lock }),
    [lock],
  )
  return (
    <SessionContext value={session}>
      <ShellContext value={state}>
        <ToastArea>
          {!isLocked && <ShellKeys onPalette={state.openPalette} onShortcuts={state.openShortcuts} onLock={lock} />}
          {isLocked ? (
            <LockScreen session={session} reason={reason} isToldLater={isToldLater} onUnlock={unlock} />
          ) : (
            <LiveArea>
              <Frame onSearch={state.openPalette} />
            </LiveArea>
          )}
          <PartBoundary key={opened} onClose={() => setOpened(undefined)}>
            {!isLocked && opened === 'palette' && <Palette onClose={() => setOpened(undefined)} />}
            {!isLocked && opened === 'shortcuts' && <ShortcutSheet onClose={() => setOpened(undefined)} />}
          </PartBoundary>
        </ToastArea>
      </ShellContext>
    </SessionContext>
  )
}

function Frame({ onSearch }: { onSearch: () => void }) {
  const words = useWords()
  const since = useOfflineSince()
  const { isConnected } = useLive()
  return (
    <div className={css.shell}>
      <Sidebar onSearch={onSearch} isOnline={since === undefined} />
      <main className={css.main}>
        {since && (
          <div className={css.offline} role="status">
            <IconWifiOff size={15} />{' '}
            <b>{words.states.offline(`${times.clock(words, since)} ${times.zoneName(words)}`)}</b>{' '}
            {words.states.offlineDetail}
          </div>
        )}
        {!since && !isConnected && (
          <div className={css.offline} role="status">
            <IconWifiOff size={15} /> <b>{words.states.unreachable}</b> {words.states.offlineDetail}
          </div>
        )}
        <Outlet />
      </main>
      <BottomBar />
    </div>
  )
}

/** Loads the palette before it is asked for: what is typed right after ⌘K would be lost. The shortcuts help also offline. */
function usePartsAtHand(): void {
  useEffect(() => {
    for (const load of [loadPalette, loadShortcuts]) load().catch(() => undefined)
  }, [])
}

function ShellKeys({ onPalette, onShortcuts, onLock }: Record<'onPalette' | 'onShortcuts' | 'onLock', () => void>) {
  useKeyboard()
  usePartsAtHand()
  useShortcut('mod+k', onPalette)
  useShortcut('?', onShortcuts)
  useShortcut('shift+t', switchTheme)
  useShortcut('shift+l', onLock)
  return AREAS.map((area) => <AreaKey key={area.key} area={area} />)
}

function AreaKey({ area }: { area: (typeof AREAS)[number] }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  useShortcut(`g ${area.key}`, () => {
    void queries.invalidateQueries({ queryKey: [area.name], refetchType: 'none' })
    void navigate({ to: area.path })
  })
  return null
}
