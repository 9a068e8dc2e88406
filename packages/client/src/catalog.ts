import type { Agency, Clinic, JobCategory } from './generated/catalog.ts'
import type { ClinicSearch, ListAgenciesQuery, ListClinicsQuery } from './generated/requests.ts'
import { List, listOf, type Page } from './pages.ts'
import { segment, type CallOptions, type Transport } from './transport.ts'

/** A kind of catalog record: what can be listed and read. */
export class Records<T extends { id: string }, Query extends object> {
  protected readonly transport: Transport
  protected readonly path: string

  constructor(transport: Transport, path: string) {
    this.transport = transport
    this.path = path
  }

  list(query?: Query, options?: CallOptions): List<T> {
    return listOf(this.transport, this.path, query ?? {}, options)
  }

  async get(id: string, options?: CallOptions): Promise<T> {
    return this.transport.send({ method: 'GET', path: `${this.path}/${segment(id)}` }, options)
  }
}

export class Clinics extends Records<Clinic, ListClinicsQuery> {
  /** Clinics near a place, nearest first, or the best matches of a text. */
  search(search: ClinicSearch, options?: CallOptions): List<Clinic> {
    const path = `${this.path}/search`
    return new List(search, (position) =>
      this.transport.send<Page<Clinic>>(
        { method: 'POST', path, body: { ...search, ...position }, reply: 'page' },
        options,
      ),
    )
  }
}

export class Agencies extends Records<Agency, ListAgenciesQuery> {
  async jobCategory(agencyId: string, id: string, options?: CallOptions): Promise<JobCategory> {
    const path = `${this.path}/${segment(agencyId)}/jobCategories/${segment(id)}`
    return this.transport.send({ method: 'GET', path }, options)
  }
}
