import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { lazyPage } from './pages/lazy-page.ts'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { SEARCH_NAMES, splitWords, type OrdersSearch } from './pages/orders/search.ts'
import { PageFailure } from './pages/PageFailure.tsx'
import { SignedIn } from './pages/SignedIn.tsx'

type Raw = Record<string, unknown>

/** The named parameters that an address has. */
function pick<Name extends string>(raw: Raw, ...names: Name[]): { [name in Name]?: string } {
  const found = names.flatMap((name) => (typeof raw[name] === 'string' && raw[name] !== '' ? [[name, raw[name]]] : []))
  return Object.fromEntries(found) as { [name in Name]?: string }
}

const root = createRootRoute({ notFoundComponent: NotFoundPage })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: Raw) => pick(raw, 'to', 'signInError'),
  component: lazyPage(() => import('./pages/sign-in/SignInPage.tsx')),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation/$secret',
  component: lazyPage(() => import('./pages/sign-in/InvitationPage.tsx')),
})

const signedIn = createRoute({ getParentRoute: () => root, id: 'signedIn', component: SignedIn })
const within = { getParentRoute: () => signedIn }

const today = createRoute({
  ...within,
  path: '/',
  validateSearch: (raw: Raw) => pick(raw, 'state', 'reason', 'task'),
  component: lazyPage(() => import('./pages/today/TodayPage.tsx')),
})

const orders = createRoute({
  ...within,
  path: '/orders',
  validateSearch: (raw: Raw): OrdersSearch => splitWords(pick(raw, ...SEARCH_NAMES)).address,
  component: lazyPage(() => import('./pages/orders/OrdersPage.tsx')),
})

const order = createRoute({
  ...within,
  path: '/orders/$code',
  validateSearch: (raw: Raw) => pick(raw, 'open', 'resend'),
  component: lazyPage(() => import('./pages/order/OrderPage.tsx')),
})

const results = createRoute({
  ...within,
  path: '/results',
  validateSearch: (raw: Raw) => pick(raw, 'state', 'report'),
  component: lazyPage(() => import('./pages/results/ResultsPage.tsx')),
})

const bookings = createRoute({
  ...within,
  path: '/bookings',
  validateSearch: (raw: Raw) => pick(raw, 'date', 'clinic', 'rebook', 'view'),
  component: lazyPage(() => import('./pages/bookings/BookingsPage.tsx')),
})

const webhooks = createRoute({
  ...within,
  path: '/webhooks',
  validateSearch: (raw: Raw) => pick(raw, 'show', 'origin', 'state', 'order', 'delivery'),
  component: lazyPage(() => import('./pages/webhooks/WebhooksPage.tsx')),
})

const notifications = createRoute({
  ...within,
  path: '/notifications',
  validateSearch: (raw: Raw) => pick(raw, 'view', 'state', 'notification', 'channel', 'reason', 'suppression'),
  component: lazyPage(() => import('./pages/notifications/NotificationsPage.tsx')),
})

const catalog = createRoute({
  ...within,
  path: '/catalog',
  validateSearch: (raw: Raw) => pick(raw, 'kind', 'entry', 'view'),
  component: lazyPage(() => import('./pages/catalog/CatalogPage.tsx')),
})

const audit = createRoute({
  ...within,
  path: '/audit',
  validateSearch: (raw: Raw) => pick(raw, 'action', 'on', 'by', 'from', 'to', 'entry'),
  component: lazyPage(() => import('./pages/audit/AuditPage.tsx')),
})

const tokens = createRoute({
  ...within,
  path: '/tokens',
  validateSearch: (raw: Raw) => pick(raw, 'token'),
  component: lazyPage(() => import('./pages/tokens/TokensPage.tsx')),
})

const people = createRoute({
  ...within,
  path: '/people',
  validateSearch: (raw: Raw) => pick(raw, 'person'),
  component: lazyPage(() => import('./pages/people/PeoplePage.tsx')),
})

const account = createRoute({
  ...within,
  path: '/account',
  component: lazyPage(() => import('./pages/account/AccountPage.tsx')),
})

const figures = createRoute({
  ...within,
  path: '/figures',
  validateSearch: (raw: Raw) => pick(raw, 'days', 'from', 'to', 'company', 'dot'),
  component: lazyPage(() => import('./pages/figures/FiguresPage.tsx')),
})

const routeTree = root.addChildren([
  signIn,
  invitation,
  signedIn.addChildren([
    today,
    orders,
    order,
    results,
    bookings,
    webhooks,
    notifications,
    catalog,
    tokens,
    people,
    account,
    figures,
    audit,
  ]),
])

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: '/console',
    defaultPreload: 'intent',
    // With it, every page has a boundary of its own: the shell stays when a page fails.
    defaultErrorComponent: PageFailure,
    // Addresses are made for people: values stay as they are written.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
      const text = String(new URLSearchParams(entries.map(([name, value]) => [name, String(value)])))
      return text && `?${text}`
    },
  })
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The filters of the list that an order was opened from. */
    list?: string
    /** The words of a search for orders, which may name a person and so are not in the address. */
    words?: string
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
