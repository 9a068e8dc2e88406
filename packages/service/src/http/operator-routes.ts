import type { FastifyInstance } from 'fastify'
import { CATALOG_BYTES, operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import { listAudit } from '../operations/audit.ts'
import { operatorCreateOrder } from '../operations/operator-create-order.ts'
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
import { listRefusedMessages, readRefusedMessage } from '../operations/refused-messages.ts'
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
import { hl7Requests, readHl7Bodies } from './hl7.ts'
import type { Hl7Watch } from './refused-hl7.ts'
import { router, type RouteContext } from './routes.ts'

/** A catalog may hold tens of thousands of clinics. */
const CATALOG_MS = 120_000

/** What operators and those who bring results may ask for. */
export function addOperatorRoutes(app: FastifyInstance, context: RouteContext, watch: Hl7Watch): void {
  const serve = router(app, context)
  const wholeFile = { readsBody: true, bodyLimit: CATALOG_BYTES, takesUpToMs: CATALOG_MS }
  serve(endpoints.operatorListOrders, operatorListOrders, { kind: 'list' })
  serve(endpoints.operatorCreateOrder, operatorCreateOrder, { kind: 'create', readsBody: true })
  serve(endpoints.operatorReadOrder, operatorReadOrder)
  serve(endpoints.moveService, moveService)
  serve(endpoints.correctService, correctService)
  serve(endpoints.setClinic, setClinic)
  serve(endpoints.clearClinic, clearClinic)
  serve(endpoints.operatorCancelOrder, operatorCancelOrder)
  serve(endpoints.listBookings, listBookings, { kind: 'list' })
  // Apart, so that nowhere else such bodies are read at all.
  app.register((door, _options, done) => {
    readHl7Bodies(door)
    router(door, context)(endpoints.postResult, postResult, {
      kind: 'result',
      bodyLimit: RESULT_LIMIT,
      foreign: hl7Requests(watch),
    })
    done()
  })
  serve(endpoints.listResults, listResults, { kind: 'list' })
  serve(endpoints.readResult, readResult)
  serve(endpoints.assignResult, assignResult)
  serve(endpoints.dismissResult, dismissResult)
  serve(endpoints.readDocument, readDocument)
  serve(endpoints.listRefusedMessages, listRefusedMessages, { kind: 'list' })
  serve(endpoints.readRefusedMessage, readRefusedMessage)
  serve(endpoints.listDeliveries, listDeliveries, { kind: 'list' })
  serve(endpoints.readDelivery, readDelivery)
  serve(endpoints.replayDelivery, replayDelivery)
  serve(endpoints.replayDeliveries, replayDeliveries)
  serve(endpoints.listReceivers, listReceivers, { kind: 'list' })
  serve(endpoints.pauseReceiver, pauseReceiver)
  serve(endpoints.resumeReceiver, resumeReceiver)
  serve(endpoints.listTokens, listTokens, { kind: 'list' })
  serve(endpoints.readToken, readToken)
  serve(endpoints.createToken, createToken)
  serve(endpoints.revokeToken, revokeToken)
  serve(endpoints.exportCatalog, exportCatalog)
  serve(endpoints.applyCatalog, applyCatalog, wholeFile)
  serve(endpoints.diffCatalog, diffCatalog, wholeFile)
  serve(endpoints.listMessages, listMessages, { kind: 'list' })
  serve(endpoints.readMessage, readMessage)
  serve(endpoints.resendMessage, resendMessage)
  serve(endpoints.resendMessages, resendMessages)
  serve(endpoints.listAudit, listAudit, { kind: 'list' })
}
