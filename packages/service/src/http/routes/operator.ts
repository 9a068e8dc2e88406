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
import { CREATE, LIST, router, serveAll, type RouteContext, type Routes } from './routes.ts'

/** The API for operators and senders of results. */
export function addOperatorRoutes(app: FastifyInstance, context: RouteContext, watch: Hl7Watch): void {
  serveAll(router(app, context), endpoints, ROUTES)
  addResultRoutes(app, context, watch)
  addCatalogRoutes(app, context)
}

/** Endpoints that work in threads have their own files. */
type InThread = 'postResult' | 'readResult' | 'readDocument' | 'exportCatalog' | 'applyCatalog' | 'diffCatalog'

const ROUTES: Routes<Omit<typeof endpoints, InThread>> = {
  operatorListOrders: [operatorListOrders, LIST],
  operatorCreateOrder: [operatorCreateOrder, CREATE],
  operatorReadOrder: [operatorReadOrder],
  moveService: [moveService],
  correctService: [correctService],
  setClinic: [setClinic],
  clearClinic: [clearClinic],
  operatorCancelOrder: [operatorCancelOrder],
  listBookings: [listBookings, LIST],
  listResults: [listResults, LIST],
  assignResult: [assignResult],
  dismissResult: [dismissResult],
  listRefusedMessages: [listRefusedMessages, LIST],
  readRefusedMessage: [readRefusedMessage],
  listDeliveries: [listDeliveries, LIST],
  readDelivery: [readDelivery],
  replayDelivery: [replayDelivery],
  replayDeliveries: [replayDeliveries],
  listReceivers: [listReceivers, LIST],
  pauseReceiver: [pauseReceiver],
  resumeReceiver: [resumeReceiver],
  listCallbacks: [listCallbacks, LIST],
  readCallback: [readCallback],
  endCallback: [endCallback],
  endCallbacks: [endCallbacks],
  listTokens: [listTokens, LIST],
  readToken: [readToken],
  createToken: [createToken],
  revokeToken: [revokeToken],
  listMessages: [listMessages, LIST],
  readMessage: [readMessage],
  resendMessage: [resendMessage],
  resendMessages: [resendMessages],
  listAudit: [listAudit, LIST],
  readAuditHead: [readAuditHead],
}
