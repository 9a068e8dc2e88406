import type { BrowserContext } from 'playwright-core'
import type { Session } from '@order-testing/contract/operator'
import { flawsOf, type Opened } from './signed-in.ts'

/** Signs in a person whose role has only these scopes. */
export function allowOnly(context: BrowserContext, scopes: string[]): Promise<unknown> {
  const session: Session = {
    object: 'session',
    id: 'ses_2',
    user: { id: 'usr_2', name: 'Sam Ortiz', email: 'sam@northfold.example' },
    tenant: { id: 'demo', name: 'Northfold Compliance Partners' },
    mode: 'sandbox',
    role: 'support',
    scopes,
    expiresAt: '2099-01-01T00:00:00.000Z',
    lockedAt: null,
    idleSeconds: 900,
  }
  return context.route('**/api/console/v1/session', (route) => route.fulfill({ json: session }))
}

/** What axe finds in light and dark. */
export async function flawsInLightAndDark({ page }: Opened): Promise<string[]> {
  const flaws: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    flaws.push(...(await flawsOf(page)))
  }
  return flaws
}
