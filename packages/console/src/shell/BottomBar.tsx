import { Menu } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useWords } from '../languages/words.tsx'
import { AccountItems } from './AccountMenu.tsx'
import { AREAS, IN_BAR } from './areas.ts'
import { AreaLink } from './Sidebar.tsx'
import css from './shell.module.css'

/** The areas on small screens: four, and the rest behind More. */
export function BottomBar() {
  const words = useWords()
  return (
    <nav className={css.bottomBar} aria-label={words.areas.navigation}>
      {AREAS.slice(0, IN_BAR).map((area) => (
        <AreaLink key={area.name} area={area} isTab />
      ))}
      <Menu position="top-end" width={230}>
        <Menu.Target>
          <button type="button" className={css.tab}>
            <IconMenu2 size={21} stroke={1.75} />
            <span>{words.areas.more}</span>
          </button>
        </Menu.Target>
        <AccountItems isInBar />
      </Menu>
    </nav>
  )
}
