import { listAudit } from './audit.ts'
import {
  clearClinic,
  correctService,
  moveService,
  operatorCancelOrder,
  operatorListOrders,
  operatorReadOrder,
  setClinic,
} from './orders.ts'
import { assignResult, dismissResult, listResults, postResult, readDocument, readResult } from './results.ts'

/** Every operation for operators and those who bring results, by name. */
export const operatorEndpoints = {
  operatorListOrders,
  operatorReadOrder,
  moveService,
  correctService,
  setClinic,
  clearClinic,
  operatorCancelOrder,
  postResult,
  listResults,
  readResult,
  assignResult,
  dismissResult,
  readDocument,
  listAudit,
}
