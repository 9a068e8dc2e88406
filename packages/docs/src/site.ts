import { apiPages } from './api/index.ts'
import { meaningPages } from './meanings/index.ts'
import type { Page } from './page.ts'

/** All pages that are composed from code. */
export const composePages = (): Page[] => [...meaningPages(), ...apiPages()]
