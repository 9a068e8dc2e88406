import { createTheme, MantineProvider, Menu, Popover, Tooltip } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { change, settings, useSettings } from './settings.ts'
import css from './shell.module.css'

/** Mantine's variables come from tokens.css, so that no style is written into the page: its policy forbids that. */
const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Tooltip: Tooltip.extend({
      defaultProps: { withArrow: false, openDelay: 250, transitionProps: { duration: 0 } },
      classNames: { tooltip: css.tooltip },
    }),
    Menu: Menu.extend({
      defaultProps: { transitionProps: { duration: 0 }, shadow: 'none', offset: 4 },
      classNames: { dropdown: css.dropdown, item: css.menuItem, label: css.menuLabel },
    }),
    Popover: Popover.extend({
      defaultProps: { transitionProps: { duration: 0 }, shadow: 'none', offset: 4 },
      classNames: { dropdown: css.dropdown },
    }),
  },
})

export function Theme({ children }: { children: ReactNode }) {
  const scheme = useScheme()
  return (
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false} forceColorScheme={scheme}>
      {children}
    </MantineProvider>
  )
}

const dark = matchMedia('(prefers-color-scheme: dark)')
const shown = () => {
  const { theme: chosen } = settings()
  return chosen === 'system' ? (dark.matches ? 'dark' : 'light') : chosen
}

function useScheme(): 'light' | 'dark' {
  useSettings()
  useEffect(() => {
    // A change of the system counts only while nothing else was chosen.
    const follow = () => change({})
    dark.addEventListener('change', follow)
    return () => dark.removeEventListener('change', follow)
  }, [])
  return shown()
}

export const switchTheme = () => change({ theme: shown() === 'dark' ? 'light' : 'dark' })
