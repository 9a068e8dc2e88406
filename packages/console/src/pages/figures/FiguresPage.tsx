import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Figures } from '@order-testing/client/operator'
import { figuresQuery } from '../../api/figures.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { csvFile } from '../../parts/csv.ts'
import { download } from '../../parts/download.ts'
import { Bone, Empty, Failure, SlowNotice } from '../../parts/States.tsx'
import * as times from '../../parts/times.ts'
import { Allowed } from '../../shell/Allowed.tsx'
import { useToasts } from '../../shell/toasts.tsx'
import { TopBar } from '../../shell/TopBar.tsx'
import { DayChart, StageChart } from './Charts.tsx'
import { FigureTable } from './FigureTable.tsx'
import { Filters } from './Filters.tsx'
import { stagesOf, tilesOf } from './measures.ts'
import { before, periodOf, type Period } from './period.ts'
import * as tables from './tables.ts'
import css from './figures.module.css'

export default function FiguresPage() {
  const words = useWords()
  return (
    <Allowed title={words.figures.title} scope="operator.orders.read">
      <FiguresOfPeriod />
    </Allowed>
  )
}

function FiguresOfPeriod() {
  const words = useWords()
  const { now, earlier } = useFigures()
  const { data } = now
  return (
    <>
      <TopBar title={words.figures.title}>{data && <Export figures={data} earlier={earlier} />}</TopBar>
      <Filters />
      <div className={css.page} aria-busy={now.isFetching}>
        {now.error && !data ? (
          <Failure error={now.error} onRetry={() => void now.refetch()} />
        ) : data ? (
          <Shown figures={data} earlier={earlier} />
        ) : (
          <Loading />
        )}
      </div>
    </>
  )
}

/** The figures of the period, and those of as many days before. */
function useFigures() {
  const search = useSearch({ from: '/signedIn/figures' })
  const period = periodOf(search, new Date())
  const filters = {
    timezone: times.ZONE,
    ...(search.company !== undefined && { companyId: search.company }),
    ...((search.dot === 'true' || search.dot === 'false') && { isDot: search.dot === 'true' }),
  }
  const of = (days: Period) => ({ ...figuresQuery({ ...days, ...filters }), placeholderData: keepPreviousData })
  const now = useQuery(of(period))
  const earlier = useQuery({ ...of(before(period)), enabled: now.data !== undefined })
  return { now, earlier: earlier.data }
}

interface Given {
  figures: Figures
  earlier: Figures | undefined
}

function Shown({ figures, earlier }: Given) {
  const words = useWords()
  const isEmpty = figures.orders.placed === 0
  return (
    <>
      <dl className={css.tiles}>
        {tilesOf(words, figures, earlier).map(({ label, value, change, tone }) => (
          <div key={label} className={css.tile}>
            <dt>{label}</dt>
            <dd className={css.value}>{value}</dd>
            <dd className={css.change} data-tone={tone}>
              {change}
            </dd>
          </div>
        ))}
      </dl>
      {isEmpty ? (
        <Empty
          title={words.figures.empty}
          detail={words.figures.emptyDetail}
          icon={<IconChartBar size={28} stroke={1.75} />}
        />
      ) : (
        <>
          <div className={css.charts}>
            <StageChart stages={stagesOf(words, figures, earlier)} />
            <DayChart days={figures.days} />
          </div>
          <div className={css.parts}>
            <Part part={tables.laboratoryRows(words, figures)} note={words.figures.laboratoriesNote} />
            <Part part={tables.positivityRows(words, figures)} note={words.figures.positivityNote} />
            <Part part={tables.clinicRows(words, figures)} note={words.figures.clinicsNote} />
          </div>
        </>
      )}
    </>
  )
}

const Part = ({ part, note }: { part: tables.FigureRows; note: string }) => (
  <section className={css.card} aria-label={part.title}>
    <header className={css.cardHead}>
      <h2>{part.title}</h2>
      <small>{note}</small>
    </header>
    <FigureTable part={part} />
  </section>
)

function Export({ figures, earlier }: Given) {
  const words = useWords()
  const toasts = useToasts()
  const save = () => {
    const parts = [
      tables.tileRows(words, tilesOf(words, figures, earlier)),
      tables.stageRows(words, stagesOf(words, figures, earlier)),
      tables.dayRows(words, figures.days),
      tables.laboratoryRows(words, figures),
      tables.positivityRows(words, figures),
      tables.clinicRows(words, figures),
    ]
    const file = new Blob([csvFile(tables.fileRows(parts))], { type: 'text/csv;charset=utf-8' })
    const days = [figures.days[0]?.date, figures.days.at(-1)?.date].join('-to-')
    download(`figures-${days}.csv`, file)
    toasts.tell(words.figures.exported)
  }
  return (
    <Button data-keep icon={<IconDownload size={15} />} onClick={save}>
      {words.figures.exportCsv}
    </Button>
  )
}

const Loading = () => (
  <>
    <div className={css.tiles}>
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className={css.tile}>
          <Bone width="60%" />
          <Bone width="40%" height={20} />
          <Bone width="50%" />
        </div>
      ))}
    </div>
    <SlowNotice />
  </>
)
