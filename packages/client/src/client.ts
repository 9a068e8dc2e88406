import { Agencies, Clinics, Records } from './catalog.ts'
import type { Company, Location, Package, Service } from './generated/catalog.ts'
import type { Token } from './generated/orders.ts'
import type {
  ListCompaniesQuery,
  ListLocationsQuery,
  ListPackagesQuery,
  ListServicesQuery,
} from './generated/requests.ts'
import { Events, Orders } from './orders.ts'
import { Sandbox } from './sandbox.ts'
import { checkToken, Transport, type CallOptions, type ClientOptions } from './transport.ts'

/** A client of the Order Testing Service. */
export class OrderTesting {
  readonly #transport: Transport
  readonly orders: Orders
  readonly events: Events
  readonly agencies: Agencies
  readonly clinics: Clinics
  readonly companies: Records<Company, ListCompaniesQuery>
  readonly locations: Records<Location, ListLocationsQuery>
  readonly packages: Records<Package, ListPackagesQuery>
  readonly services: Records<Service, ListServicesQuery>
  readonly sandbox: Sandbox

  constructor(options: ClientOptions) {
    const transport = new Transport({ ...options, token: checkToken(options.token) })
    this.#transport = transport
    this.orders = new Orders(transport)
    this.events = new Events(transport)
    this.agencies = new Agencies(transport, '/api/v2/agencies')
    this.clinics = new Clinics(transport, '/api/v2/clinics')
    this.companies = new Records(transport, '/api/v2/companies')
    this.locations = new Records(transport, '/api/v2/locations')
    this.packages = new Records(transport, '/api/v2/packages')
    this.services = new Records(transport, '/api/v2/services')
    this.sandbox = new Sandbox(transport)
  }

  /** What the client's token is and may do. */
  token(options?: CallOptions): Promise<Token> {
    return this.#transport.send({ method: 'GET', path: '/api/v2/token' }, options)
  }
}
