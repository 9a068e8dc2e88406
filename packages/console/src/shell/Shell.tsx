import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { IconWifiOff } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { Session } from '../api/session.ts'
import { useWords } from '../languages/words.tsx'
import * as times from '../parts/times.ts'
import { AREAS } from './areas.ts'
import { BottomBar } from './BottomBar.tsx'
import { useIdleLock, useOfflineSince } from './presence.ts'
import { useKeyboard, useShortcut } from './keyboard.tsx'
import { LiveArea } from './live.tsx'
import { LockScreen } from './LockScreen.tsx'
import { SessionContext } from './session.tsx'
import { ShellContext } from './shell-state.ts'
import { Sidebar } from './Sidebar.tsx'
import { switchTheme } from './Theme.tsx'
import { ToastArea } from './toasts.tsx'
import css from './shell.module.css'

const loadPalette = () => import('./Palette.tsx')
const Palette = lazy(loadPalette)
const ShortcutSheet = lazy(() => import('./ShortcutSheet.tsx'))

/** An unattended screen is hidden earlier than its session ends. */
const LOCK_SECONDS = 15 * 60

/** What surrounds every page. Pages scroll, the shell never does. */
export function Shell({ session }: { session: Session }) {
  const [opened, setOpened] = useState<'palette' | 'shortcuts'>()
  const { isLocked, lock, unlock } = useIdleLock(Math.min(session.idleSeconds, LOCK_SECONDS))
  const state = useMemo(
    () => ({ openPalette: () => setOpened('palette'), openShortcuts: () => setOpened('shortcuts'), lock }),
    [lock],
  )
  return (
    <SessionContext value={session}>
      <ShellContext value={state}>
        <ToastArea>
          <ShellKeys onPalette={state.openPalette} onShortcuts={state.openShortcuts} onLock={lock} />
          {isLocked ? (
            <LockScreen session={session} onUnlock={unlock} />
          ) : (
            <LiveArea>
              <Frame onSearch={state.openPalette} />
            </LiveArea>
          )}
          <Suspense>
            {opened === 'palette' && <Palette onClose={() => setOpened(undefined)} />}
            {opened === 'shortcuts' && <ShortcutSheet onClose={() => setOpened(undefined)} />}
          </Suspense>
        </ToastArea>
      </ShellContext>
    </SessionContext>
  )
}

function Frame({ onSearch }: { onSearch: () => void }) {
  const words = useWords()
  const since = useOfflineSince()
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
        <Outlet />
      </main>
      <BottomBar />
    </div>
  )
}

/** Loads the palette before it is asked for: what is typed right after ⌘K would be lost. */
function usePaletteAtHand(): void {
  useEffect(() => void loadPalette(), [])
}

function ShellKeys({ onPalette, onShortcuts, onLock }: Record<'onPalette' | 'onShortcuts' | 'onLock', () => void>) {
  useKeyboard()
  usePaletteAtHand()
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
