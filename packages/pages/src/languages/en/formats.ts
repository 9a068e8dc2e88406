import type { Formats } from '../language-file.ts'

const SPACE = '\u00a0'

export const formats: Formats = {
  locale: 'en-US',
  zones: 'abbreviated',
  time: ({ hour, minute, dayPeriod }) => `${hour}${minute === '00' ? '' : `:${minute}`} ${dayPeriod}`,
  shortDay: ({ weekday, day, month }) => `${weekday}, ${month}${SPACE}${day}`,
  longDay: ({ weekday, day, month }) => `${weekday}, ${month} ${day}`,
  shortMoment: (day, time) => `${day}, ${time}`,
  longMoment: (day, time) => `${day} at ${time}`,
  withZone: (time, zone) => `${time}${SPACE}${zone}`,
}
