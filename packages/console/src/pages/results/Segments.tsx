import { IconLock } from '@tabler/icons-react'
import { useWords } from '../../languages/words.tsx'
import { Withheld } from '../../parts/Tag.tsx'
import { segmentsOf } from './hl7.ts'
import css from './segments.module.css'

/** Segments that are closed at first: they say little about the result. */
const CLOSED = new Set(['MSH', 'NTE', 'SFT', 'PV1'])

/** An HL7 message as tables, each with the line that it was read from. */
export function Segments({ message, isWithheld }: { message: string; isWithheld: boolean }) {
  const words = useWords()
  const { segments, fields } = words.hl7
  return (
    <div className={css.segments}>
      {segmentsOf(message, isWithheld).map((segment, index) => (
        <details key={index} className={css.segment} open={!CLOSED.has(segment.name)}>
          <summary>
            <code className={css.name}>{segment.name}</code>
            <b>{segments[segment.name] ?? ''}</b>
            <code className={css.line}>{segment.line}</code>
          </summary>
          <table>
            <tbody>
              {segment.fields.map(({ position, text, isWithheld: isHidden }) => {
                const id = `${segment.name}-${position}`
                return (
                  <tr key={id}>
                    <th scope="row">
                      <code>{id}</code>
                    </th>
                    <td>{fields[id] ?? words.none}</td>
                    <td>
                      {isHidden ? (
                        <Withheld>
                          <IconLock size={13} /> {words.results.withheld}
                        </Withheld>
                      ) : (
                        text
                      )}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </details>
      ))}
    </div>
  )
}
