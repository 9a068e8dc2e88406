import { ConsoleApi } from './console-api.ts'

let isLeaving = false
window.addEventListener('pagehide', () => (isLeaving = true), { capture: true })
window.addEventListener('pageshow', () => (isLeaving = false))

/** The browser finishes what is sent while the page goes away, if it is small. */
const send: typeof fetch = (url, init) =>
  fetch(url, isLeaving || document.visibilityState === 'hidden' ? { ...init, keepalive: isSmall(init) } : init)

/** Browsers refuse more than 64 KiB at once. */
const isSmall = (init?: RequestInit) => typeof init?.body !== 'string' || init.body.length < 8192

/**
 * The cookie of the session proves who calls, and the browser adds it by itself. The header shows the service that the call
 * was made by the console and not by a form of another site.
 */
const options = { baseUrl: location.origin, maxRetries: 2, fetch: send, isOnline: () => navigator.onLine }

export const api = new ConsoleApi({ ...options, headers: { 'x-console': '1' } })

/** For lists that are read again and again: that nobody is there must not keep a session alive. */
export const backgroundApi = new ConsoleApi({ ...options, headers: { 'x-console': '1', 'x-background': '1' } })
