import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { NotFoundPage } from './pages/NotFoundPage.tsx'
import { SEARCH_NAMES, type OrdersSearch } from './pages/orders/search.ts'
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
  validateSearch: (raw: Raw) => pick(raw, 'to'),
  component: lazyRouteComponent(() => import('./pages/sign-in/SignInPage.tsx')),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation/$secret',
  component: lazyRouteComponent(() => import('./pages/sign-in/InvitationPage.tsx')),
})

const signedIn = createRoute({ getParentRoute: () => root, id: 'signedIn', component: SignedIn })
const within = { getParentRoute: () => signedIn }

const home = createRoute({
  ...within,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to lead elsewhere
    throw redirect({ to: '/orders' })
  },
})

const orders = createRoute({
  ...within,
  path: '/orders',
  validateSearch: (raw: Raw): OrdersSearch => pick(raw, ...SEARCH_NAMES),
  component: lazyRouteComponent(() => import('./pages/orders/OrdersPage.tsx')),
})

const order = createRoute({
  ...within,
  path: '/orders/$code',
  component: lazyRouteComponent(() => import('./pages/order/OrderPage.tsx')),
})

const results = createRoute({
  ...within,
  path: '/results',
  validateSearch: (raw: Raw) => pick(raw, 'state', 'report'),
  component: lazyRouteComponent(() => import('./pages/results/ResultsPage.tsx')),
})

const bookings = createRoute({
  ...within,
  path: '/bookings',
  validateSearch: (raw: Raw) => pick(raw, 'date', 'clinic', 'rebook'),
  component: lazyRouteComponent(() => import('./pages/bookings/BookingsPage.tsx')),
})

const webhooks = createRoute({
  ...within,
  path: '/webhooks',
  validateSearch: (raw: Raw) => pick(raw, 'origin', 'state', 'order', 'delivery'),
  component: lazyRouteComponent(() => import('./pages/webhooks/WebhooksPage.tsx')),
})

const notifications = createRoute({
  ...within,
  path: '/notifications',
  validateSearch: (raw: Raw) => pick(raw, 'state', 'notification'),
  component: lazyRouteComponent(() => import('./pages/notifications/NotificationsPage.tsx')),
})

const catalog = createRoute({
  ...within,
  path: '/catalog',
  validateSearch: (raw: Raw) => pick(raw, 'kind', 'entry'),
  component: lazyRouteComponent(() => import('./pages/catalog/CatalogPage.tsx')),
})

const audit = createRoute({
  ...within,
  path: '/audit',
  validateSearch: (raw: Raw) => pick(raw, 'action', 'on', 'by', 'entry'),
  component: lazyRouteComponent(() => import('./pages/audit/AuditPage.tsx')),
})

const routeTree = root.addChildren([
  signIn,
  invitation,
  signedIn.addChildren([home, orders, order, results, bookings, webhooks, notifications, catalog, audit]),
])

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: '/console',
    defaultPreload: 'intent',
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
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
