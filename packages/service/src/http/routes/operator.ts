import type { FastifyInstance } from 'fastify'
import { operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import { listAudit, readAuditHead } from '../../operations/audit/audit.ts'
import { operatorCreateOrder } from '../../operations/orders/operator-create.ts'
import { clearClinic, listBookings, setClinic } from '../../operations/bookings/bookings.ts'
import { endCallback, endCallbacks, listCallbacks, readCallback } from '../../operations/webhooks/operator-callbacks.ts'
import {
  listDeliveries,
  listReceivers,
  pauseReceiver,
  readDelivery,
  replayDeliveries,
  replayDelivery,
  resumeReceiver,
} from '../../operations/webhooks/operator-deliveries.ts'
import {
  listMessages,
  readMessage,
  resendMessage,
  resendMessages,
} from '../../operations/notifications/notifications.ts'
import {
  correctService,
  moveService,
  operatorCancelOrder,
  operatorListOrders,
  operatorReadOrder,
} from '../../operations/orders/operator-orders.ts'
import { listRefusedMessages, readRefusedMessage } from '../../operations/results/refused-reports.ts'
import { createToken, listTokens, readToken, revokeToken } from '../../operations/access/operator-tokens.ts'
import { assignResult, dismissResult, listResults } from '../../operations/results/results.ts'
import { addCatalogRoutes } from './catalog.ts'
import type { Hl7Watch } from './refused-hl7.ts'
import { addResultRoutes } from './results.ts'
import { router, type RouteContext } from './routes.ts'

/** What operators and those who bring results may ask for. */
export function addOperatorRoutes(app: FastifyInstance, context: RouteContext, watch: Hl7Watch): void {
  const serve = router(app, context)
  serve(endpoints.operatorListOrders, operatorListOrders, { kind: 'list' })
  serve(endpoints.operatorCreateOrder, operatorCreateOrder, { kind: 'create', readsBody: true })
  serve(endpoints.operatorReadOrder, operatorReadOrder)
  serve(endpoints.moveService, moveService)
  serve(endpoints.correctService, correctService)
  serve(endpoints.setClinic, setClinic)
  serve(endpoints.clearClinic, clearClinic)
  serve(endpoints.operatorCancelOrder, operatorCancelOrder)
  serve(endpoints.listBookings, listBookings, { kind: 'list' })
  addResultRoutes(app, context, watch)
  serve(endpoints.listResults, listResults, { kind: 'list' })
  serve(endpoints.assignResult, assignResult)
  serve(endpoints.dismissResult, dismissResult)
  serve(endpoints.listRefusedMessages, listRefusedMessages, { kind: 'list' })
  serve(endpoints.readRefusedMessage, readRefusedMessage)
  serve(endpoints.listDeliveries, listDeliveries, { kind: 'list' })
  serve(endpoints.readDelivery, readDelivery)
  serve(endpoints.replayDelivery, replayDelivery)
  serve(endpoints.replayDeliveries, replayDeliveries)
  serve(endpoints.listReceivers, listReceivers, { kind: 'list' })
  serve(endpoints.pauseReceiver, pauseReceiver)
  serve(endpoints.resumeReceiver, resumeReceiver)
  serve(endpoints.listCallbacks, listCallbacks, { kind: 'list' })
  serve(endpoints.readCallback, readCallback)
  serve(endpoints.endCallback, endCallback)
  serve(endpoints.endCallbacks, endCallbacks)
  serve(endpoints.listTokens, listTokens, { kind: 'list' })
  serve(endpoints.readToken, readToken)
  serve(endpoints.createToken, createToken)
  serve(endpoints.revokeToken, revokeToken)
  addCatalogRoutes(app, context)
  serve(endpoints.listMessages, listMessages, { kind: 'list' })
  serve(endpoints.readMessage, readMessage)
  serve(endpoints.resendMessage, resendMessage)
  serve(endpoints.resendMessages, resendMessages)
  serve(endpoints.listAudit, listAudit, { kind: 'list' })
  serve(endpoints.readAuditHead, readAuditHead)
}
