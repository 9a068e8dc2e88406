import {
  IconBuildingCommunity,
  IconCalendarEvent,
  IconChartBar,
  IconClipboardList,
  IconInbox,
  IconKey,
  IconMail,
  IconMicroscope,
  IconShieldCheck,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import type { Words } from '../languages/words.tsx'

/** The areas of the console that have something to show. */
export interface Area {
  name: keyof Pick<
    Words['areas'],
    | 'today'
    | 'orders'
    | 'results'
    | 'bookings'
    | 'notifications'
    | 'webhooks'
    | 'catalog'
    | 'tokens'
    | 'people'
    | 'figures'
    | 'audit'
  >
  path:
    | '/'
    | '/orders'
    | '/results'
    | '/bookings'
    | '/notifications'
    | '/webhooks'
    | '/catalog'
    | '/tokens'
    | '/people'
    | '/figures'
    | '/audit'
  /** Pressed after G. */
  key: string
  icon: typeof IconMail
  scope: string
  group: 'work' | 'setUp' | 'lookBack'
}

export const AREAS: readonly Area[] = [
  { name: 'today', path: '/', key: 't', icon: IconInbox, scope: 'operator.orders.read', group: 'work' },
  { name: 'orders', path: '/orders', key: 'o', icon: IconClipboardList, scope: 'operator.orders.read', group: 'work' },
  { name: 'results', path: '/results', key: 'r', icon: IconMicroscope, scope: 'operator.results.read', group: 'work' },
  {
    name: 'bookings',
    path: '/bookings',
    key: 'b',
    icon: IconCalendarEvent,
    scope: 'operator.orders.read',
    group: 'work',
  },
  {
    name: 'notifications',
    path: '/notifications',
    key: 'n',
    icon: IconMail,
    scope: 'operator.messages.read',
    group: 'work',
  },
  {
    name: 'webhooks',
    path: '/webhooks',
    key: 'w',
    icon: IconWebhook,
    scope: 'operator.deliveries.read',
    group: 'work',
  },
  {
    name: 'catalog',
    path: '/catalog',
    key: 'c',
    icon: IconBuildingCommunity,
    scope: 'operator.catalog.read',
    group: 'setUp',
  },
  { name: 'tokens', path: '/tokens', key: 'k', icon: IconKey, scope: 'operator.tokens.read', group: 'setUp' },
  { name: 'people', path: '/people', key: 'p', icon: IconUsers, scope: 'operator.users.read', group: 'setUp' },
  {
    name: 'figures',
    path: '/figures',
    key: 'f',
    icon: IconChartBar,
    scope: 'operator.orders.read',
    group: 'lookBack',
  },
  { name: 'audit', path: '/audit', key: 'a', icon: IconShieldCheck, scope: 'operator.audit.read', group: 'lookBack' },
]

/** How many areas the bar of small screens shows besides More. */
export const IN_BAR = 4

/** Scopes may end in a star, which stands for all below. */
export const canUse = (scopes: readonly string[], scope: string): boolean =>
  scopes.some((each) => each === scope || (each.endsWith('*') && scope.startsWith(each.slice(0, -1))))
