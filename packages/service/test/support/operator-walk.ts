import { randomBytes } from 'node:crypto'
import { operatorEndpoints, type ResultReceipt } from '@order-testing/contract/operator'
import { exampleOf, withNames, type Request, type Routed } from '../http/walk.ts'
import { makeId } from '../../src/domain/ids.ts'
import { body, cancelled, created, only, TENANT } from '../orders/given.ts'
import type { TaskChange } from '../../src/store/tasks/tasks.ts'
import type { TestService } from './service.ts'
import { messageAbout, operate, OPERATOR, report, staffed } from './operator.ts'

/** Every operator operation of the contract. */
export const routed = withNames(operatorEndpoints)

export const HOOK = 'https://hooks.example.com'
const PDF = {
  name: 'Result.pdf',
  contentType: 'application/pdf',
  content: Buffer.from('%PDF-1.7 walk').toString('base64'),
}

type Prepared = { params?: Record<string, string>; body?: unknown; query?: string }

/** Prepares what a request of each operation needs to succeed. */
const PREPARED: Record<keyof typeof operatorEndpoints, (service: TestService) => Promise<Prepared>> = {
  operatorListOrders: withNothing,
  operatorCreateOrder: async () => ({ body: body({ source: 'portal' }) }),
  searchOrders: async () => ({ body: { q: 'maria lopez' } }),
  exportOrders: withNothing,
  operatorReadOrder: ofOrder,
  moveService: ofService,
  correctService: ofService,
  setClinic: async (service) => ({ ...(await ofOrder(service)), body: { clinicId: 'open' } }),
  clearClinic: ofOrder,
  operatorCancelOrder: ofOrder,
  changeContact: ofOrder,
  extendOrder: ofOrder,
  sendLink: ofOrder,
  revokeLinks: ofOrder,
  listOrderDocuments: ofOrder,
  readOrderDocument: async (service) => {
    const { id, code } = await created(service)
    await report(service, messageAbout({ code }, { documents: [PDF] }))
    const { data } = (await operate(service, 'GET', `/orders/${id}/documents`)).body
    return { params: { id, documentId: data[0].id } }
  },
  viewAsParticipant: ofOrder,
  listSavedViews: withNothing,
  createSavedView: withNothing,
  updateSavedView: ofView,
  deleteSavedView: ofView,
  listBookings: withNothing,
  readClinicDay: async () => ({ params: { id: 'open' } }),
  rebookOrders: async (service) => ({ body: { orders: [{ id: (await created(service)).id, clinicId: 'open' }] } }),
  readFigures: withNothing,
  listTasks: withNothing,
  countTasks: withNothing,
  readTask: (service) => ofTask(service),
  claimTask: (service) => ofTask(service),
  releaseTask: (service) => ofTask(service, { claimedBy: 'operator' }),
  snoozeTask: async (service) => ({
    ...(await ofTask(service)),
    body: { until: new Date(Date.now() + 3_600_000).toISOString() },
  }),
  finishTask: (service) => ofTask(service),
  reopenTask: (service) => ofTask(service, { doneAt: new Date(), doneBy: 'operator' }),
  listHelpRequests: withNothing,
  readHelpRequest: ofHelpRequest,
  finishHelpRequest: ofHelpRequest,
  postResult: async (service) => ({ body: messageAbout(await created(service)) }),
  listResults: withNothing,
  readResult: ofResult,
  readCandidates: ofResult,
  assignResult: async (service) => {
    const { services } = await created(service)
    return { ...(await ofResult(service)), body: { serviceId: services[0].id } }
  },
  dismissResult: ofResult,
  listLaboratoryCodes: withNothing,
  rememberLaboratoryCode: async () => ({
    params: { lab: 'heartland', code: `WALK-${randomBytes(4).toString('hex')}` },
    body: { serviceId: 'urine' },
  }),
  forgetLaboratoryCode: async ({ store }) => {
    const key = { lab: 'heartland', code: `WALK-${randomBytes(4).toString('hex')}` }
    await store.laboratoryCodes.learn({ ...key, tenantId: TENANT, serviceId: 'urine', createdAt: new Date() })
    return { params: key }
  },
  readDocument: async (service) => {
    const { code } = await created(service)
    const { id } = (await report(service, messageAbout({ code }, { documents: [PDF] }))).body
    return { params: { id: (await operate(service, 'GET', `/results/${id}`)).body.documents[0].id } }
  },
  listRefusedMessages: withNothing,
  readRefusedMessage: ofRefused,
  listDeliveries: withNothing,
  readDelivery: ofDelivery,
  replayDelivery: ofDelivery,
  replayDeliveries: withNothing,
  listReceivers: withNothing,
  pauseReceiver: withNothing,
  resumeReceiver: withNothing,
  probeReceiver: withNothing,
  listCallbacks: withNothing,
  readCallback: ofCallback,
  endCallback: ofCallback,
  endCallbacks: withNothing,
  listTokens: withNothing,
  readToken: ofToken,
  listTokenRequests: ofToken,
  listSenders: withNothing,
  editSender: ofSender,
  createToken: async () => ({ body: { name: 'Walk', scopes: ['order.read'] } }),
  editToken: ofToken,
  revokeToken: ofToken,
  exportCatalog: withNothing,
  applyCatalog: async (service) => ({ body: await catalogOf(service) }),
  readClinicMap: withNothing,
  diffCatalog: async (service) => ({ body: await catalogOf(service) }),
  listMessages: withNothing,
  readMessage: ofMessage,
  previewMessage: ofMessage,
  resendMessage: ofMessage,
  resendMessages: withNothing,
  receiveText: async () => ({ body: { from: anyPhone(), text: 'STOP' } }),
  reportBounce: async () => ({ body: { address: anyPhone(), type: 'hard' } }),
  listSuppressions: withNothing,
  removeSuppression: ofSuppression,
  listAudit: withNothing,
  exportAudit: withNothing,
  readAuditHead: withNothing,
  verifyAudit: withNothing,
  listUsers: withNothing,
  inviteUser: async () => ({ body: anyPerson() }),
  readUser: ofUser,
  updateUser: ofUser,
  reinviteUser: ofUser,
  signOutUser: ofUser,
  listRoles: withNothing,
}

/** Makes a request of the operation that succeeds with its scope. */
export async function requestOf(service: TestService, endpoint: Routed): Promise<Request> {
  const { params, body: sent } = await PREPARED[endpoint.name as keyof typeof operatorEndpoints](service)
  const request = exampleOf(endpoint, params)
  return sent === undefined ? request : { ...request, body: sent }
}

/** The catalog with operators, a clinic, and further tokens. */
export const walkedWorld = (tokens: object[] = []) =>
  staffed({
    clinics: [
      {
        id: 'open',
        name: 'Open',
        services: ['urine'],
        address: { line1: '1 Main Street', city: 'Naperville', state: 'IL', postalCode: '60540' },
      },
    ],
    tokens,
  })

/** Makes a failed delivery of a changed order. */
export async function failedDelivery(service: TestService, url = `${HOOK}/orders?key=hidden`) {
  const order = await created(service, { callback: { url } })
  await cancelled(service, order.id)
  const { id } = only((await service.store.deliveryRecords.list({ orderId: order.id }, { limit: 2, page: 1 })).rows)
  await service.pool`update deliveries set state = 'failed', ended_at = now() where id = ${id}`
  return { id, order: order as { id: string; code: string } }
}

/** Submits a result report with a document that matches no order. */
export async function queued(service: TestService): Promise<ResultReceipt> {
  const answer = await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }, { documents: [PDF] }))
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body as ResultReceipt
}

export const catalogOf = async (service: TestService) => (await operate(service, 'GET', '/catalog')).body

async function withNothing(): Promise<Prepared> {
  return {}
}

const anyPerson = () => ({ email: `${randomBytes(6).toString('hex')}@example.com`, name: 'Walk', role: 'support' })

async function ofUser(service: TestService): Promise<Prepared> {
  return { params: { id: (await operate(service, 'POST', '/users', anyPerson())).body.id } }
}

async function ofView(service: TestService): Promise<Prepared> {
  const answer = await operate(service, 'POST', '/savedViews', { name: 'Walk', filters: {} })
  return { params: { id: answer.body.id as string } }
}

async function ofOrder(service: TestService): Promise<Prepared> {
  return { params: { id: (await created(service)).id } }
}

async function ofService(service: TestService): Promise<Prepared> {
  const { id, services } = await created(service)
  return { params: { id, serviceId: services[0].id } }
}

async function ofResult(service: TestService): Promise<Prepared> {
  return { params: { id: (await queued(service)).id } }
}

/** A message in HL7 that is none for us. */
async function ofRefused(service: TestService): Promise<Prepared> {
  await service.app.answerHl7(Buffer.from('no HL7'), OPERATOR)
  return { params: { id: (await operate(service, 'GET', '/refusedMessages')).body.data[0].id } }
}

async function ofTask(service: TestService, changed: TaskChange = {}): Promise<Prepared> {
  const order = await created(service)
  const now = new Date()
  const id = makeId('tsk', now, randomBytes)
  const task = { subjectId: order.id, orderId: order.id, actor: 'operator', dueAt: now, details: {} } as const
  await service.store.tasks.reconcile(TENANT, 'helpAsked', { found: [task], ids: [id], now })
  const row = (await service.store.tasks.find(TENANT, id))!
  await service.store.tasks.change(row, { ...row, ...changed })
  return { params: { id } }
}

async function ofHelpRequest(service: TestService): Promise<Prepared> {
  const order = await created(service)
  const now = new Date()
  const id = makeId('hlp', now, randomBytes)
  await service.store.helpRequests.put({
    tenantId: TENANT,
    id,
    orderId: order.id,
    recipient: 'participant',
    reason: 'tooFar',
    createdAt: now,
    details: { place: null, miles: null, note: null },
  })
  return { params: { id } }
}

async function ofDelivery(service: TestService): Promise<Prepared> {
  return { params: { id: (await failedDelivery(service)).id } }
}

async function ofToken(service: TestService): Promise<Prepared> {
  const answer = await operate(service, 'POST', '/tokens', { name: 'Read me', scopes: ['order.read'] })
  return { params: { id: answer.body.id as string } }
}

async function ofSender(service: TestService): Promise<Prepared> {
  const sender = { id: 'RIDGE', role: 'lab' }
  const line = { name: 'Line', scopes: ['intake.lab'], senders: [sender] }
  const answer = await operate(service, 'POST', '/tokens', line)
  return { params: { id: answer.body.id as string }, body: { ...sender, name: 'Ridge' } }
}

async function ofCallback(service: TestService): Promise<Prepared> {
  const order = await created(service, { callback: { url: `${HOOK}/orders` } })
  const { data } = (await operate(service, 'GET', `/callbacks?orderId=${order.id}`)).body
  return { params: { id: data[0].id } }
}

/** Makes a failed notification. */
async function ofMessage(service: TestService): Promise<Prepared> {
  const order = await created(service)
  await service.pool`update notifications set state = 'failed', ended_at = now() where order_id = ${order.id}`
  const [message] = (await operate(service, 'GET', `/messages?orderId=${order.id}`)).body.data
  return { params: { id: message.id } }
}

/** A number that is not on the suppression list. */
const anyPhone = () => `+1630${String(2_000_000 + (randomBytes(3).readUIntBE(0, 3) % 7_000_000))}`

async function ofSuppression(service: TestService): Promise<Prepared> {
  const now = new Date()
  const id = makeId('sup', now, randomBytes)
  const address = `walk-${id}@example.com`
  const reason = { channel: 'email', reason: 'hardBounce', notificationId: null } as const
  await service.store.suppressions.add({ tenantId: TENANT, id, ...reason, address, createdAt: now })
  return { params: { id } }
}
