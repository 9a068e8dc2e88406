import { Menu } from '@mantine/core'
import { IconKeyboard, IconLock, IconLogout, IconSearch, IconUserCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../api/session.ts'
import { LANGUAGES, useLanguage, useWords, type Language } from '../languages/words.tsx'
import { Keys } from '../parts/Keys.tsx'
import { sentenceOf } from '../parts/sentences.ts'
import { AREAS, canUse, IN_BAR } from './areas.ts'
import { initialsOf } from './initials.ts'
import { useSession } from './session.tsx'
import { change, useSettings } from './settings.ts'
import { useShell } from './shell-state.ts'
import { useToasts } from './toasts.tsx'
import css from './shell.module.css'

const THEMES = ['light', 'dark', 'system'] as const

export function AccountMenu() {
  const words = useWords()
  const { user, role } = useSession()
  const { openShortcuts } = useShell()
  return (
    <div className={css.account}>
      <Menu position="top-start" width={230}>
        <Menu.Target>
          <button type="button" className={css.person}>
            <span className={css.avatar} aria-hidden="true">
              {initialsOf(user.name)}
            </span>
            <span className="hidden-visually">{words.account.menu}</span>
            <span className={css.personName}>
              {user.name}
              <small>{words.roles[role] ?? role}</small>
            </span>
          </button>
        </Menu.Target>
        <AccountItems />
      </Menu>
      <button type="button" className={css.help} onClick={openShortcuts} aria-label={words.account.shortcuts}>
        ?
      </button>
    </div>
  )
}

/** On small screens, the areas that have no place in the bar come first. */
export function AccountItems({ isInBar = false }: { isInBar?: boolean }) {
  const words = useWords()
  const { language, choose } = useLanguage()
  const { theme, hasSingleKeys } = useSettings()
  const { scopes } = useSession()
  const { openPalette, openShortcuts, lock } = useShell()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const toasts = useToasts()
  const leave = async () => {
    // What waits for its time needs the session.
    await toasts.settle()
    try {
      await signOut()
    } catch (error) {
      return toasts.warn(sentenceOf(error, words))
    }
    queries.clear()
    location.assign('/console/sign-in')
  }
  return (
    <Menu.Dropdown>
      {isInBar && (
        <>
          <Menu.Item leftSection={<IconSearch size={15} />} onClick={openPalette}>
            {words.actions.search}
          </Menu.Item>
          {AREAS.slice(IN_BAR)
            .filter(({ scope }) => canUse(scopes, scope))
            .map((area) => (
              <Menu.Item
                key={area.name}
                leftSection={<area.icon size={15} />}
                onClick={() => void navigate({ to: area.path })}
              >
                {words.areas[area.name]}
              </Menu.Item>
            ))}
          <Menu.Divider />
        </>
      )}
      <Menu.Item leftSection={<IconUserCircle size={15} />} onClick={() => void navigate({ to: '/account' })}>
        {words.account.title}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{words.theme.label}</Menu.Label>
      <Menu.RadioGroup value={theme} onChange={(name) => change({ theme: name as typeof theme })}>
        {THEMES.map((name) => (
          <Menu.RadioItem key={name} value={name}>
            {words.theme[name]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Label>{words.account.language}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(name) => choose(name as Language)}>
        {(Object.keys(LANGUAGES) as Language[]).map((name) => (
          <Menu.RadioItem key={name} value={name}>
            {LANGUAGES[name]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item leftSection={<IconKeyboard size={15} />} rightSection={<Keys keys="?" />} onClick={openShortcuts}>
        {words.account.shortcuts}
      </Menu.Item>
      <Menu.CheckboxItem checked={hasSingleKeys} onChange={(isOn) => change({ hasSingleKeys: isOn })}>
        {words.account.singleKeys}
      </Menu.CheckboxItem>
      <Menu.Item leftSection={<IconLock size={15} />} rightSection={<Keys keys="shift+l" />} onClick={lock}>
        {words.account.lock}
      </Menu.Item>
      <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void leave()}>
        {words.actions.signOut}
      </Menu.Item>
    </Menu.Dropdown>
  )
}
