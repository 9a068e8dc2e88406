import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { resultsQuery } from '../api/results.ts'
import { receiversQuery } from '../api/webhooks.ts'
import { useWords } from '../languages/words.tsx'
import { Keys } from '../parts/Keys.tsx'
import { Tag } from '../parts/Tag.tsx'
import * as times from '../parts/times.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { AREAS, type Area } from './areas.ts'
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
        <h2>{words.areas.setUp}</h2>
        <AreaLinks group="setUp" />
        <h2>{words.areas.lookBack}</h2>
        <AreaLinks group="lookBack" />
      </nav>
      <div className={css.live}>
        <span className={css.liveDot} data-online={isOnline} />
        {isOnline ? words.account.live : words.states.offline('').trim()}
        <Clock />
      </div>
      <AccountMenu />
    </header>
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
    <Link to={area.path} className={isTab ? css.tab : css.areaLink} activeProps={{ 'aria-current': 'page' }}>
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
function useAreaCount({ name, scope }: Area): number {
  const isAllowed = useMay(scope)
  const queued = useQuery({ ...resultsQuery('queued'), enabled: isAllowed && name === 'results' })
  const receivers = useQuery({ ...receiversQuery, enabled: isAllowed && name === 'webhooks' })
  if (name === 'results') return queued.data?.total ?? 0
  return name === 'webhooks' ? (receivers.data?.total ?? 0) : 0
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
