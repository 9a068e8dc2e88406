import type { FastifyInstance } from 'fastify'
import { CATALOG_BYTES, operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import { listAudit, readAuditHead } from '../operations/audit.ts'
import { clearClinic, listBookings, setClinic } from '../operations/operator-bookings.ts'
import { applyCatalog, diffCatalog, exportCatalog } from '../operations/operator-catalog.ts'
import {
  listDeliveries,
  listReceivers,
  pauseReceiver,
  readDelivery,
  replayDeliveries,
  replayDelivery,
  resumeReceiver,
} from '../operations/operator-deliveries.ts'
import { listMessages, readMessage, resendMessage, resendMessages } from '../operations/messages.ts'
import {
  correctService,
  moveService,
  operatorCancelOrder,
  operatorListOrders,
  operatorReadOrder,
} from '../operations/operator-orders.ts'
import { createToken, listTokens, readToken, revokeToken } from '../operations/operator-tokens.ts'
import {
  assignResult,
  dismissResult,
  listResults,
  postResult,
  readDocument,
  readResult,
} from '../operations/results.ts'
import { RESULT_LIMIT } from './bodies.ts'
import { HL7_TYPES, readHl7Bodies, takeHl7 } from './hl7.ts'
import { router, type RouteContext } from './routes.ts'

/** What operators and those who bring results may ask for. */
export function addOperatorRoutes(app: FastifyInstance, context: RouteContext): void {
  const serve = router(app, context)
  const wholeFile = { readsBody: true, bodyLimit: CATALOG_BYTES }
  serve(endpoints.operatorListOrders, operatorListOrders)
  serve(endpoints.operatorReadOrder, operatorReadOrder)
  serve(endpoints.moveService, moveService)
  serve(endpoints.correctService, correctService)
  serve(endpoints.setClinic, setClinic)
  serve(endpoints.clearClinic, clearClinic)
  serve(endpoints.operatorCancelOrder, operatorCancelOrder)
  serve(endpoints.listBookings, listBookings)
  // Apart, so that nowhere else such bodies are read at all.
  app.register((door, _options, done) => {
    readHl7Bodies(door)
    router(door, context)(endpoints.postResult, postResult, {
      bodyLimit: RESULT_LIMIT,
      foreign: { types: HL7_TYPES, answer: takeHl7 },
    })
    done()
  })
  serve(endpoints.listResults, listResults)
  serve(endpoints.readResult, readResult)
  serve(endpoints.assignResult, assignResult)
  serve(endpoints.dismissResult, dismissResult)
  serve(endpoints.readDocument, readDocument)
  serve(endpoints.listDeliveries, listDeliveries)
  serve(endpoints.readDelivery, readDelivery)
  serve(endpoints.replayDelivery, replayDelivery)
  serve(endpoints.replayDeliveries, replayDeliveries)
  serve(endpoints.listReceivers, listReceivers)
  serve(endpoints.pauseReceiver, pauseReceiver)
  serve(endpoints.resumeReceiver, resumeReceiver)
  serve(endpoints.listTokens, listTokens)
  serve(endpoints.readToken, readToken)
  serve(endpoints.createToken, createToken)
  serve(endpoints.revokeToken, revokeToken)
  serve(endpoints.exportCatalog, exportCatalog)
  serve(endpoints.applyCatalog, applyCatalog, wholeFile)
  serve(endpoints.diffCatalog, diffCatalog, wholeFile)
  serve(endpoints.listMessages, listMessages)
  serve(endpoints.readMessage, readMessage)
  serve(endpoints.resendMessage, resendMessage)
  serve(endpoints.resendMessages, resendMessages)
  serve(endpoints.listAudit, listAudit)
  serve(endpoints.readAuditHead, readAuditHead)
}
