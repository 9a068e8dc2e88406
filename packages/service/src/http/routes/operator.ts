import type { FastifyInstance } from 'fastify'
import { operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import * as senders from '../../operations/access/operator-senders.ts'
import * as tokens from '../../operations/access/operator-tokens.ts'
import * as audit from '../../operations/audit/audit.ts'
import { exportAudit } from '../../operations/audit/export.ts'
import { verifyAuditPart } from '../../operations/audit/verify-part.ts'
import * as bookings from '../../operations/bookings/bookings.ts'
import * as bookingDays from '../../operations/bookings/operator-days.ts'
import { readFigures } from '../../operations/figures/operator-figures.ts'
import * as links from '../../operations/notifications/links.ts'
import * as notifications from '../../operations/notifications/notifications.ts'
import { previewMessage } from '../../operations/notifications/preview.ts'
import * as suppressions from '../../operations/notifications/suppressions.ts'
import * as changes from '../../operations/orders/operator-changes.ts'
import { operatorCreateOrder } from '../../operations/orders/operator-create.ts'
import { exportOrders } from '../../operations/orders/export.ts'
import * as orders from '../../operations/orders/operator-orders.ts'
import { searchOrders } from '../../operations/orders/operator-search.ts'
import * as views from '../../operations/orders/saved-views.ts'
import * as help from '../../operations/participants/operator-help.ts'
import * as documents from '../../operations/participants/operator-documents.ts'
import { viewAsParticipant } from '../../operations/participants/operator-views.ts'
import { readCandidates } from '../../operations/results/candidates.ts'
import * as codes from '../../operations/results/codes.ts'
import * as refusedReports from '../../operations/results/refused-reports.ts'
import * as results from '../../operations/results/results.ts'
import * as tasks from '../../operations/tasks/operator-tasks.ts'
import * as users from '../../operations/users/operator-users.ts'
import * as callbacks from '../../operations/webhooks/operator-callbacks.ts'
import * as deliveries from '../../operations/webhooks/operator-deliveries.ts'
import * as receivers from '../../operations/webhooks/operator-receivers.ts'
import { addCatalogRoutes } from './catalog.ts'
import { composePreview } from '../../notify/preview.ts'
import { addMessageReports } from './message-reports.ts'
import type { Hl7Watch } from './refused-hl7.ts'
import { addResultRoutes } from './results.ts'
import { CREATE, LIST, router, serveAll, type RouteContext, type Routes } from './routes.ts'

/** The API for operators and senders of results. */
export function addOperatorRoutes(app: FastifyInstance, context: RouteContext, watch: Hl7Watch): void {
  serveAll(router(app, context), endpoints, ROUTES)
  addResultRoutes(app, context, watch)
  addMessageReports(app, context)
  addCatalogRoutes(app, context)
}

/** Endpoints that work in threads have their own files. */
type InThread =
  | 'postResult'
  | 'readResult'
  | 'readDocument'
  | 'exportCatalog'
  | 'applyCatalog'
  | 'diffCatalog'
  | 'readClinicMap'

/** Endpoints for providers, which send forms and sign in with a password. */
type ForProviders = 'receiveText' | 'reportBounce'

const ROUTES: Routes<Omit<typeof endpoints, InThread | ForProviders>> = {
  operatorListOrders: [orders.operatorListOrders, LIST],
  operatorCreateOrder: [operatorCreateOrder, CREATE],
  searchOrders: [searchOrders, LIST],
  exportOrders: [exportOrders, LIST],
  operatorReadOrder: [orders.operatorReadOrder],
  moveService: [orders.moveService],
  correctService: [orders.correctService],
  setClinic: [bookings.setClinic],
  clearClinic: [bookings.clearClinic],
  operatorCancelOrder: [orders.operatorCancelOrder],
  changeContact: [changes.changeContact],
  extendOrder: [changes.extendOrder],
  sendLink: [links.sendLink],
  revokeLinks: [links.revokeLinks],
  listOrderDocuments: [documents.listOrderDocuments],
  readOrderDocument: [documents.readOrderDocument],
  viewAsParticipant: [viewAsParticipant],
  listSavedViews: [views.listSavedViews, LIST],
  createSavedView: [views.createSavedView],
  updateSavedView: [views.updateSavedView],
  deleteSavedView: [views.deleteSavedView],
  listBookings: [bookings.listBookings, LIST],
  readClinicDay: [bookingDays.readClinicDay, LIST],
  rebookOrders: [bookingDays.rebookOrders],
  listTasks: [tasks.listTasks, LIST],
  countTasks: [tasks.countTasks],
  readTask: [tasks.readTask],
  claimTask: [tasks.claimTask],
  releaseTask: [tasks.releaseTask],
  snoozeTask: [tasks.snoozeTask],
  finishTask: [tasks.finishTask],
  reopenTask: [tasks.reopenTask],
  listHelpRequests: [help.listHelpRequests, LIST],
  readHelpRequest: [help.readHelpRequest],
  finishHelpRequest: [help.finishHelpRequest],
  listResults: [results.listResults, LIST],
  readCandidates: [readCandidates, LIST],
  assignResult: [results.assignResult],
  dismissResult: [results.dismissResult],
  listLaboratoryCodes: [codes.listLaboratoryCodes, LIST],
  rememberLaboratoryCode: [codes.rememberLaboratoryCode],
  forgetLaboratoryCode: [codes.forgetLaboratoryCode],
  listRefusedMessages: [refusedReports.listRefusedMessages, LIST],
  readRefusedMessage: [refusedReports.readRefusedMessage],
  listDeliveries: [deliveries.listDeliveries, LIST],
  readDelivery: [deliveries.readDelivery],
  replayDelivery: [deliveries.replayDelivery],
  replayDeliveries: [deliveries.replayDeliveries],
  listReceivers: [receivers.listReceivers, LIST],
  pauseReceiver: [receivers.pauseReceiver],
  resumeReceiver: [receivers.resumeReceiver],
  probeReceiver: [receivers.probeReceiver],
  listCallbacks: [callbacks.listCallbacks, LIST],
  readCallback: [callbacks.readCallback],
  endCallback: [callbacks.endCallback],
  endCallbacks: [callbacks.endCallbacks],
  listTokens: [tokens.listTokens, LIST],
  readToken: [tokens.readToken],
  listTokenRequests: [tokens.listTokenRequests, LIST],
  listSenders: [senders.listSenders, LIST],
  editSender: [senders.editSender],
  createToken: [tokens.createToken],
  editToken: [tokens.editToken],
  revokeToken: [tokens.revokeToken],
  listMessages: [notifications.listMessages, LIST],
  readMessage: [notifications.readMessage],
  previewMessage: [previewMessage(composePreview)],
  resendMessage: [notifications.resendMessage],
  resendMessages: [notifications.resendMessages],
  listSuppressions: [suppressions.listSuppressions, LIST],
  removeSuppression: [suppressions.removeSuppression],
  readFigures: [readFigures, LIST],
  listAudit: [audit.listAudit, LIST],
  exportAudit: [exportAudit, LIST],
  readAuditHead: [audit.readAuditHead],
  verifyAudit: [verifyAuditPart, LIST],
  listUsers: [users.listUsers, LIST],
  inviteUser: [users.inviteUser],
  readUser: [users.readUser],
  updateUser: [users.updateUser],
  reinviteUser: [users.reinviteUser],
  signOutUser: [users.signOutUser],
  listRoles: [users.listRoles],
}
