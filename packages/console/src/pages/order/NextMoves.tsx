import { Menu } from '@mantine/core'
import { IconDots, IconPencil, IconStethoscope } from '@tabler/icons-react'
import type { ReadOrder } from '../../api/orders.ts'
import { useWords } from '../../languages/words.tsx'
import { Button } from '../../parts/Button.tsx'
import { isResult, lookOf } from '../../parts/statuses.ts'
import { useOrderActions } from './actions.tsx'
import { correctionsOf, isDecision, movesOf, type ServiceWithMoves } from './rules.ts'
import css from './order.module.css'

/** Only what the rules allow. If nothing is left, the reason. */
export function NextMoves({ read }: { read: ReadOrder }) {
  const words = useWords()
  const { services, mayWrite } = useOrderActions()
  const open = services.filter(({ operator }) => operator.nextStatuses.length > 0)
  const isClosedWithout = lookOf(read.order.status).shape === 'struck'
  return (
    <section className={css.side} aria-label={words.order.nextMoves}>
      <h2>
        {words.order.nextMoves}
        <small>{words.order.onlyAllowed}</small>
      </h2>
      {!mayWrite ? (
        <p className={css.quiet}>{words.states.forbidden}</p>
      ) : (
        <>
          {open.map((service, index) => (
            <ServiceMoves key={service.shown.id} service={service} isFirst={index === 0} />
          ))}
          {open.length === 0 && <p className={css.quiet}>{isClosedWithout ? words.order.closed : words.order.done}</p>}
          {services
            .filter(({ shown }) => isResult(shown.status))
            .map((service) => (
              <Correction key={service.shown.id} service={service} isNamed={services.length > 1} />
            ))}
        </>
      )}
    </section>
  )
}

function ServiceMoves({ service, isFirst }: { service: ServiceWithMoves; isFirst: boolean }) {
  const words = useWords()
  const { move } = useOrderActions()
  const { steps, results, seldom } = movesOf(service)
  const { name, status } = service.shown
  const hasDecision = results.some((each) => isDecision(service, each))
  return (
    <div className={css.moves}>
      <p className={css.quiet}>{words.order.from(name, (words.statuses[status] ?? status).toLowerCase())}</p>
      <div className={css.row}>
        {steps.map((each, index) => (
          <Button
            key={each}
            {...(isFirst && index === 0 && { keys: 'm' })}
            onClick={() => move(service, 'steps', each)}
          >
            {words.statuses[each] ?? each}
          </Button>
        ))}
        {results.length > 0 && (
          <Button
            icon={hasDecision ? <IconStethoscope size={15} /> : undefined}
            {...(isFirst && steps.length === 0 && { keys: 'm' })}
            onClick={() => move(service, 'results')}
          >
            {hasDecision ? words.order.decision : words.order.recordResult}
          </Button>
        )}
        {seldom.length > 0 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button aria-label={`${words.order.moreMoves}: ${name}`} icon={<IconDots size={15} />} />
            </Menu.Target>
            <Menu.Dropdown>
              {seldom.map((each) => (
                <Menu.Item key={each} onClick={() => move(service, 'seldom', each)}>
                  {words.statuses[each] ?? each}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {hasDecision && <p className={css.hint}>{words.order.decisionNote}</p>}
    </div>
  )
}

function Correction({ service, isNamed }: { service: ServiceWithMoves; isNamed: boolean }) {
  const words = useWords()
  const { move } = useOrderActions()
  if (correctionsOf(service).length === 0) return null
  return (
    <div className={css.moves}>
      {isNamed && <p className={css.quiet}>{service.shown.name}</p>}
      <div className={css.row}>
        <Button icon={<IconPencil size={15} />} onClick={() => move(service, 'correction')}>
          {words.order.correct}
        </Button>
      </div>
    </div>
  )
}
