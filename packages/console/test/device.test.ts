import { expect, test } from 'vitest'
import { en } from '../src/languages/en.ts'
import { es } from '../src/languages/es.ts'
import { deviceOf } from '../src/parts/device.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Mobile/15E148 Safari/604.1'
const EDGE = `${CHROME.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64')} Edg/120.0.0.0`
const FIREFOX = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.1; rv:120.0) Gecko/20100101 Firefox/120.0'

test.each([
  [CHROME, 'Chrome on Linux', 'Chrome en Linux'],
  [SAFARI, 'Safari on iPhone', 'Safari en iPhone'],
  [EDGE, 'Edge on Windows', 'Edge en Windows'],
  [FIREFOX, 'Firefox on macOS', 'Firefox en macOS'],
  ['curl/8.4.0', 'Unknown device', 'Dispositivo desconocido'],
])('a session says its browser and system in words: %s', (agent, english, spanish) => {
  expect(en.account.deviceName(deviceOf(agent))).toBe(english)
  expect(es.account.deviceName(deviceOf(agent))).toBe(spanish)
})
