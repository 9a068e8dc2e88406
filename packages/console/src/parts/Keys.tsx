import css from './parts.module.css'

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)
const SIGNS: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: '⇧',
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
}

/** Keys as they are printed: `mod+k`, `shift+t`, `g o`. */
export function Keys({ keys, then }: { keys: string; then?: string }) {
  const strokes = keys.split(' ')
  return (
    <span className={css.keys} aria-hidden="true">
      {strokes.map((stroke, index) => (
        <span key={`${stroke}-${index}`} className={css.keys}>
          {index > 0 && then}
          <kbd className={css.key}>
            {stroke
              .split('+')
              .map(sign)
              .join(isMac ? '' : stroke.startsWith('mod') ? ' ' : '')}
          </kbd>
        </span>
      ))}
    </span>
  )
}

const sign = (key: string) => SIGNS[key] ?? key.toUpperCase()
