import {
  IconBuildingFactory2,
  IconClockExclamation,
  IconDevices,
  IconEye,
  IconFingerprint,
  IconFlask,
  IconLogin2,
  IconMailOpened,
  IconMapPinOff,
  IconMicroscope,
  IconShieldLock,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { detailOf } from '../../api/failures.ts'
import {
  enterDemo,
  enterWithPasskey,
  OIDC_PATH,
  sessionQuery,
  signInOptionsQuery,
  type Session,
} from '../../api/session.ts'
import { LANGUAGES, useLanguage, useWords, type Language } from '../../languages/words.tsx'
import { Keys } from '../../parts/Keys.tsx'
import * as times from '../../parts/times.ts'
import { usePageTitle } from '../../shell/TopBar.tsx'
import css from './sign-in.module.css'

export default function SignInPage() {
  const words = useWords()
  usePageTitle(words.signIn.title)
  const options = useQuery(signInOptionsQuery)
  const { enter, isBusy, problem } = useEntry()
  const { data } = options
  const failure = useFailedSignIn(data?.oidc?.name)
  return (
    <SignInFrame tenant={data?.tenantName ?? words.product}>
      <h1>{words.signIn.title}</h1>
      <p className={css.subtitle}>{[words.product, data?.tenantName].filter(Boolean).join(' · ')}</p>
      <div className={css.ways}>
        {data?.hasPasskeys !== false && (
          <button type="button" className={css.primary} disabled={isBusy} onClick={() => void enter(enterWithPasskey)}>
            <IconFingerprint size={18} /> {words.signIn.passkey} <Keys keys="enter" />
          </button>
        )}
        {data?.oidc && (
          <a className={css.secondary} href={OIDC_PATH}>
            <IconLogin2 size={18} /> {words.signIn.sso(data.oidc.name)}
          </a>
        )}
      </div>
      {data?.hasPasskeys === false && <p className={css.small}>{words.signIn.noPasskeys}</p>}
      {data?.hasDemo && (
        <>
          <div className={css.rule}>{words.signIn.sandboxOnly}</div>
          <button type="button" className={css.demo} disabled={isBusy} onClick={() => void enter(enterDemo)}>
            <IconFlask size={18} /> {words.signIn.demo}
          </button>
          <p className={css.small}>{words.signIn.demoDetail}</p>
        </>
      )}
      {(problem ?? failure ?? options.error) && (
        <p role="alert" className={css.problem}>
          {problem ?? failure ?? words.signIn.unavailable}
        </p>
      )}
      <p className={css.note}>
        <IconMailOpened size={18} /> {words.signIn.invitation}
      </p>
    </SignInFrame>
  )
}

/** Why the sign-in of the company failed, if it did. */
function useFailedSignIn(name = 'SSO'): string | undefined {
  const { failures } = useWords().signIn
  const { signInError } = useSearch({ from: '/sign-in' })
  return signInError === undefined ? undefined : (failures[signInError] ?? failures['failed']!)(name)
}

/** Another host would begin with two slashes. */
const isWithin = (path: string | undefined) => path !== undefined && /^\/(?![\\/])/.test(path)

/** Signs in, and goes on to where the person wanted to go. */
function useEntry() {
  const words = useWords()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { to } = useSearch({ from: '/sign-in' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const enter = async (way: () => Promise<Session>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      queries.setQueryData(sessionQuery.queryKey, await way())
      await navigate({ href: `/console${isWithin(to) ? to : '/'}` })
    } catch (error) {
      const isCancelled = error instanceof Error && /NotAllowed|Abort/.test(error.name)
      setProblem(isCancelled ? words.signIn.cancelled : (detailOf(error) ?? words.signIn.refused))
    } finally {
      setBusy(false)
    }
  }
  return { enter, isBusy, problem }
}

export function SignInFrame({ tenant, children }: { tenant: string; children: ReactNode }) {
  const { choose, language } = useLanguage()
  return (
    <div className={css.page}>
      <main className={css.left}>
        <div className={css.brand}>
          <img src="/console/icon.svg" alt="" width={28} height={28} /> {tenant.split(' ')[0]}
        </div>
        <div className={css.form}>{children}</div>
        <div className={css.languages}>
          {(Object.keys(LANGUAGES) as Language[]).map((name) => (
            <button key={name} type="button" lang={name} aria-pressed={language === name} onClick={() => choose(name)}>
              {LANGUAGES[name]}
            </button>
          ))}
        </div>
      </main>
      <Preview />
    </div>
  )
}

const ICONS = [
  ['bad', IconMapPinOff, '5SHB-YC7G'],
  ['progress', IconMicroscope, '2041877'],
  ['warn', IconClockExclamation, '9ACW-PSZM'],
  ['warn', IconBuildingFactory2, 'NDFD-W866'],
] as const

function Preview() {
  const words = useWords()
  return (
    <aside className={css.right}>
      <div className={css.card} aria-hidden="true">
        <div className={css.cardHead}>
          <b>{words.signIn.today}</b> {times.weekday(words, new Date())}
        </div>
        {ICONS.map(([tone, Icon, code], index) => (
          <div key={code} className={css.cardRow}>
            <span className={css.cardIcon} data-tone={tone}>
              <Icon size={16} />
            </span>
            <span>
              <b>{words.signIn.preview[index]}</b>
              <code>{code}</code>
            </span>
            <span className={css.cardButton}>{words.signIn.previewActions[index]}</span>
          </div>
        ))}
      </div>
      <div className={css.facts}>
        <h2>{words.signIn.whatHappens}</h2>
        <p>
          <IconShieldLock size={16} /> {words.signIn.duration}
        </p>
        <p>
          <IconEye size={16} /> {words.signIn.recorded}
        </p>
        <p>
          <IconDevices size={16} /> {words.signIn.sessions}
        </p>
      </div>
    </aside>
  )
}
