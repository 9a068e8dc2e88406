import { exportAudit, listAudit, readAuditHead, verifyAudit } from './audit.ts'
import { readClinicDay, rebookOrders } from './booking-days.ts'
import { listBookings } from './bookings.ts'
import { endCallback, endCallbacks, listCallbacks, readCallback } from './callbacks.ts'
import { readClinicMap } from './clinic-map.ts'
import { applyCatalog, diffCatalog, exportCatalog } from './catalog.ts'
import { listDeliveries, readDelivery, replayDeliveries, replayDelivery } from './deliveries.ts'
import { readFigures } from './figures.ts'
import { finishHelpRequest, listHelpRequests, readHelpRequest } from './help-requests.ts'
import { forgetLaboratoryCode, listLaboratoryCodes, rememberLaboratoryCode } from './laboratory-codes.ts'
import { revokeLinks, sendLink } from './links.ts'
import { listSuppressions, receiveText, removeSuppression, reportBounce } from './message-reports.ts'
import { listMessages, previewMessage, readMessage, resendMessage, resendMessages } from './messages.ts'
import { changeContact, extendOrder } from './order-changes.ts'
import { listOrderDocuments, readOrderDocument, viewAsParticipant } from './order-documents.ts'
import { searchOrders } from './order-search.ts'
import {
  clearClinic,
  correctService,
  exportOrders,
  moveService,
  operatorCancelOrder,
  operatorCreateOrder,
  operatorListOrders,
  operatorReadOrder,
  setClinic,
} from './orders.ts'
import { listReceivers, pauseReceiver, probeReceiver, resumeReceiver } from './receivers.ts'
import { listRefusedMessages, readRefusedMessage } from './refused-messages.ts'
import { assignResult, dismissResult, listResults, postResult, readDocument, readResult } from './results.ts'
import { readCandidates } from './result-candidates.ts'
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from './saved-views.ts'
import { claimTask, countTasks, finishTask, listTasks, readTask, releaseTask, reopenTask, snoozeTask } from './tasks.ts'
import { editSender, listSenders } from './senders.ts'
import { createToken, editToken, listTokenRequests, listTokens, readToken, revokeToken } from './tokens.ts'
import { inviteUser, listRoles, listUsers, readUser, reinviteUser, signOutUser, updateUser } from './users.ts'

/** Every operation for operators and senders of results, by name. */
export const operatorEndpoints = {
  operatorListOrders,
  operatorCreateOrder,
  searchOrders,
  exportOrders,
  operatorReadOrder,
  moveService,
  correctService,
  setClinic,
  clearClinic,
  operatorCancelOrder,
  changeContact,
  extendOrder,
  sendLink,
  revokeLinks,
  listOrderDocuments,
  readOrderDocument,
  viewAsParticipant,
  listSavedViews,
  createSavedView,
  updateSavedView,
  deleteSavedView,
  listBookings,
  readClinicDay,
  rebookOrders,
  listTasks,
  countTasks,
  readTask,
  claimTask,
  releaseTask,
  snoozeTask,
  finishTask,
  reopenTask,
  listHelpRequests,
  readHelpRequest,
  finishHelpRequest,
  postResult,
  listResults,
  readResult,
  readCandidates,
  assignResult,
  dismissResult,
  listLaboratoryCodes,
  rememberLaboratoryCode,
  forgetLaboratoryCode,
  readDocument,
  listRefusedMessages,
  readRefusedMessage,
  listDeliveries,
  readDelivery,
  replayDelivery,
  replayDeliveries,
  listReceivers,
  pauseReceiver,
  resumeReceiver,
  probeReceiver,
  listCallbacks,
  readCallback,
  endCallback,
  endCallbacks,
  listTokens,
  readToken,
  listTokenRequests,
  listSenders,
  editSender,
  createToken,
  editToken,
  revokeToken,
  exportCatalog,
  applyCatalog,
  diffCatalog,
  readClinicMap,
  listMessages,
  readMessage,
  previewMessage,
  resendMessage,
  resendMessages,
  receiveText,
  reportBounce,
  listSuppressions,
  removeSuppression,
  readFigures,
  listAudit,
  exportAudit,
  readAuditHead,
  verifyAudit,
  listUsers,
  inviteUser,
  readUser,
  updateUser,
  reinviteUser,
  signOutUser,
  listRoles,
}
