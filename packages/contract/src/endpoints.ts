import { listAgencies, readAgency, readJobCategory } from './agencies.ts'
import { listClinics, readClinic, searchClinics } from './clinics.ts'
import { listCompanies, readCompany } from './companies.ts'
import { listLocations, readLocation } from './locations.ts'
import { cancelOrder, createOrder, createOrderV1, listOrders, readOrder } from './orders.ts'
import { endOrderCallback, listOrderCallbacks, putOrderCallback, readOrderCallback } from './order-callbacks.ts'
import { listEvents, listOrderEvents, resendEvent } from './order-events.ts'
import { validateOrder } from './order-validation.ts'
import { listPackages, readPackage } from './packages.ts'
import { listServices, readService } from './services.ts'
import { advanceClock, listRequests, simulateOrder, troubleWebhook } from './sandbox.ts'
import { readToken } from './token.ts'

/** Every operation of the interface, by name. */
export const endpoints = {
  createOrder,
  createOrderV1,
  listOrders,
  readOrder,
  cancelOrder,
  listOrderEvents,
  validateOrder,
  listOrderCallbacks,
  readOrderCallback,
  putOrderCallback,
  endOrderCallback,
  listEvents,
  resendEvent,
  readToken,
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
  simulateOrder,
  advanceClock,
  troubleWebhook,
  listRequests,
}
