import { listAgencies, readAgency, readJobCategory } from './agencies.ts'
import { listClinics, readClinic, searchClinics } from './clinics.ts'
import { listCompanies, readCompany } from './companies.ts'
import { listLocations, readLocation } from './locations.ts'
import { listOrderEvents } from './order-events.ts'
import { cancelOrder, createOrder, createOrderV1, listOrders, readOrder } from './orders.ts'
import { listPackages, readPackage } from './packages.ts'
import { listServices, readService } from './services.ts'

/** Every operation of the interface, by name. */
export const endpoints = {
  createOrder,
  createOrderV1,
  listOrders,
  readOrder,
  cancelOrder,
  listOrderEvents,
  listAgencies,
  readAgency,
  readJobCategory,
  listClinics,
  readClinic,
  searchClinics,
  listCompanies,
  readCompany,
  listLocations,
  readLocation,
  listPackages,
  readPackage,
  listServices,
  readService,
}
