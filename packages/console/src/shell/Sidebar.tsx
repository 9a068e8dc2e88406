import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useWords } from '../languages/words.tsx'
import { Keys } from '../parts/Keys.tsx'
import { Tag } from '../parts/Tag.tsx'
import * as times from '../parts/times.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { AREAS, canUse, type Area } from './areas.ts'
import { useLive } from './live.tsx'
import { useMay, useSession } from './session.tsx'
import css from './shell.module.css'

export function Sidebar({ onSearch, isOnline }: { onSearch: () => void; isOnline: boolean }) {
  const words = useWords()
  const { tenant, mode } = useSession()
  return (
    <header className={css.sidebar}>
      <div className={css.tenant}>
        <img src="/console/icon.svg" alt="" width={14} height={14} />
        <span className={css.tenantName} title={tenant.name}>
          {tenant.name.split(' ')[0]}
        </span>
        <Tag tone={mode === 'production' ? 'neutral' : 'warn'}>{words.modes[mode] ?? mode}</Tag>
      </div>
      <button type="button" className={css.search} onClick={onSearch}>
        <IconSearch size={15} />
        {words.actions.search}
        <Keys keys="mod+k" />
      </button>
      <nav className={css.nav} aria-label={words.areas.navigation}>
        <AreaLinks group="work" />
        <AreaGroup group="setUp" />
        <AreaGroup group="lookBack" />
      </nav>
      <div className={css.live}>
        <Connection isOnline={isOnline} />
        <Clock />
      </div>
      <AccountMenu />
    </header>
  )
}

/** A heading alone would say nothing. */
function AreaGroup({ group }: { group: 'setUp' | 'lookBack' }) {
  const words = useWords()
  const { scopes } = useSession()
  if (!AREAS.some((area) => area.group === group && canUse(scopes, area.scope))) return null
  return (
    <>
      <h2>{words.areas[group]}</h2>
      <AreaLinks group={group} />
    </>
  )
}

const AreaLinks = ({ group }: { group: Area['group'] }) =>
  AREAS.filter((area) => area.group === group).map((area) => <AreaLink key={area.name} area={area} />)

export function AreaLink({ area, isTab = false }: { area: Area; isTab?: boolean }) {
  const words = useWords()
  const isAllowed = useMay(area.scope)
  const count = useAreaCount(area)
  if (!isAllowed) return null
  const Icon = area.icon
  return (
    <Link
      to={area.path}
      className={isTab ? css.tab : css.areaLink}
      activeOptions={{ exact: area.path === '/', includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
    >
      <Icon size={isTab ? 21 : 16} stroke={1.75} />
      <span>{words.areas[area.name]}</span>
      {count > 0 && (
        <span className={css.areaCount} data-alert={area.name === 'webhooks'}>
          {count}
        </span>
      )}
    </Link>
  )
}

/** What waits for an operator. */
function useAreaCount({ name }: Area): number {
  const { pulse } = useLive()
  if (!pulse) return 0
  if (name === 'today') return pulse.open
  if (name === 'results') return pulse.results
  return name === 'webhooks' ? pulse.receivers : 0
}

/** Whether what is shown is up to date. */
function Connection({ isOnline }: { isOnline: boolean }) {
  const { account } = useWords()
  const { isConnected } = useLive()
  const text = !isOnline ? account.offline : isConnected ? account.live : account.reconnecting
  return (
    <span className={css.connection} role="status">
      <span className={css.liveDot} data-online={isOnline && isConnected} /> {text}
    </span>
  )
}

function Clock() {
  const words = useWords()
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time className={css.clock}>
      {times.exactClock(words, now)} {times.zoneName(words)}
    </time>
  )
}
