import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '@order-testing/client/operator'
import { useWords, type Words } from '../../languages/words.tsx'
import { IconButton } from '../../parts/Button.tsx'
import * as times from '../../parts/times.ts'
import { SidePanel } from '../../shell/ListTable.tsx'
import list from '../../shell/list.module.css'
import css from './audit.module.css'

/** The name of a person, the id of a token, the user of a command, or what kind of visitor. */
export const whoOf = ({ actor, tokenId, user }: AuditEntry, { audit }: Words) =>
  user?.name ?? (actor.type === 'token' ? tokenId : (actor.user ?? audit.actors[actor.type] ?? actor.type))

export function EntryPanel({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const words = useWords()
  const { audit } = words
  const { subject } = entry
  return (
    <SidePanel
      label={audit.entry}
      head={
        <>
          <h2>{audit.entry}</h2>
          <span className={list.space} />
          <IconButton label={words.actions.close} onClick={onClose}>
            <IconX size={16} />
          </IconButton>
          <p>
            <code>{entry.action}</code>
          </p>
        </>
      }
      foot={
        <>
          <Link to="/audit" search={{ by: entry.tokenId }} className={css.link}>
            {audit.allBy}
          </Link>
          <Link to="/audit" search={{ on: subject.id }} className={css.link}>
            {audit.allOn}
          </Link>
        </>
      }
    >
      <section className={list.section}>
        <dl className={list.pairs}>
          <dt>{audit.who}</dt>
          <dd>{whoOf(entry, words)}</dd>
          <dt>{audit.time}</dt>
          <dd>
            {times.moment(words, new Date(entry.at))}
            <br />
            <code className={list.quiet}>{times.inUtc(new Date(entry.at))}</code>
          </dd>
          <dt>{audit.on}</dt>
          <dd>
            {subject.type === 'order' ? (
              <Link to="/orders/$code" params={{ code: subject.name ?? subject.id }}>
                <code>{subject.name ?? subject.id}</code>
              </Link>
            ) : (
              subject.name
            )}
            {(subject.type !== 'order' || subject.name !== null) && (
              <>
                {subject.name !== null && <br />}
                <code className={list.quiet}>{subject.id}</code>
              </>
            )}
          </dd>
          <dt>{audit.detail}</dt>
          <dd>{entry.reason ?? words.none}</dd>
        </dl>
      </section>
      {entry.before === null && entry.after === null ? (
        <section className={list.section}>
          <p className={list.quiet}>{audit.unchanged}</p>
        </section>
      ) : (
        (
          [
            ['before', entry.before],
            ['after', entry.after],
          ] as const
        ).map(([name, value]) => (
          <section key={name} className={list.section}>
            <h3>{audit[name]}</h3>
            <pre className={list.code}>{JSON.stringify(value, null, 2)}</pre>
          </section>
        ))
      )}
    </SidePanel>
  )
}
