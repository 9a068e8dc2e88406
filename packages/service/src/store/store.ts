import { catalog } from './catalog.ts'
import { clinics } from './clinics.ts'
import { companies } from './companies.ts'
import type { Db, Pool } from './database.ts'
import { locations } from './locations.ts'
import { packages } from './packages.ts'
import { services } from './services.ts'
import { tokens } from './tokens.ts'

const on = (db: Db) => ({
  catalog: catalog(db),
  clinics: clinics(db),
  companies: companies(db),
  locations: locations(db),
  packages: packages(db),
  services: services(db),
  tokens: tokens(db),
})

/** Everything that can be asked of the database inside one transaction. */
export type Transaction = ReturnType<typeof on>

export type Store = ReturnType<typeof createStore>

export const createStore = (pool: Pool) => ({
  ...on(pool),

  transaction: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => pool.begin((db) => work(on(db))) as Promise<T>,

  /** Whether the database answers. */
  async ping(): Promise<void> {
    await pool`select 1`
  },
})
