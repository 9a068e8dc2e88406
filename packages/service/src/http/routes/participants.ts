import { gzipSync } from 'node:zlib'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  pageUrl,
  authorizationPage,
  BOOKING,
  bookingPage,
  calendarFile,
  calendarFileName,
  cancelPage,
  changePage,
  checkPage,
  clinicsPage,
  declinePage,
  DETAILS,
  detailsPage,
  disclosurePage,
  donePage,
  FILTERS,
  FONT,
  helpPage,
  identityPage,
  negotiateLanguage,
  noticePage,
  passPage,
  requestsPage,
  timePage,
  type Brand,
  type CollectorView,
  type Frame,
  type NoticeView,
  type PassView,
} from '@order-testing/pages'
import { hashSecret } from '../../domain/access/tokens.ts'
import type { WalletKind } from '../../domain/participants/wallet.ts'
import { Refusal } from '../../domain/refusal.ts'
import { readTrace } from '../../domain/traces.ts'
import { openLink, readAppointment, readPass, submitForm } from '../../operations/participants/page.ts'
import type { LinkName, LinkResponse, ParticipantContext } from '../../operations/participants/session.ts'
import { readWalletPass, type WalletResponse } from '../../operations/participants/wallet.ts'
import { logFailure } from '../errors.ts'
import { awaitsAnswer, type Admission } from '../limits/admission.ts'
import { Windows } from '../limits/rate-limit.ts'
import { takesGzip } from '../sending.ts'
import { keepDraft, keepMark, readDraft, readMarks } from './page-cookies.ts'
import { FONT_HEADERS, PAGE_HEADERS, PDF_POLICY, policyFor } from './page-headers.ts'

/** Requests per minute. A waiting room shares an address; a link has one user. */
const MOST_BY_ADDRESS = 240
const MOST_BY_LINK = 60
/** More than all fields at full length in any script. */
const FORM_LIMIT = 32 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'
const STEP_FIELDS = [...BOOKING, ...FILTERS, 'day', 'week', 'slot', 'step', 'change']
const ANSWERS = ['edit', 'lang', 'shown', 'seen', 'confirm', 'helpReason', 'helpMiles', 'helpNote', 'lastName', 'next']
const FORM_FIELDS = new Set<string>([...DETAILS, ...STEP_FIELDS, ...ANSWERS])
/** Addresses contain no personal data. */
const ADDRESS_FIELDS = new Set<string>([...STEP_FIELDS, 'edit', 'note', 'fault'])

/** The pages behind the links of participants and requesters. */
export async function addParticipantRoutes(
  app: FastifyInstance,
  { admission, ...context }: ParticipantContext & { admission: Admission },
): Promise<void> {
  /** Runs the work within the admission limits, and replies unless the deadline already did or the client is gone. */
  const inTurn =
    <T>(
      work: (request: FastifyRequest) => Promise<T>,
      show: (request: FastifyRequest, reply: FastifyReply, done: T) => FastifyReply | Promise<FastifyReply>,
    ) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const party = { tenantId: request.ip, tokenId: '' }
      const run = async () => ({ value: await work(request) })
      const done = await admission.run('page', party, run, awaitsAnswer(request, reply))
      return done && !reply.sent ? show(request, reply, done.value) : undefined
    }
  const open = (request: FastifyRequest) => {
    const query = { ...readQuery(request), draft: readDraft(request) }
    return openLink({ ...nameOf(request), query, marks: readMarks(request) }, context)
  }
  const submit = (request: FastifyRequest) => {
    const { language } = frameOf(request)
    const form = { ...formOf(request), draft: readDraft(request) }
    const trace = readTrace(request.headers['traceparent'])
    return submitForm({ ...nameOf(request), form, language, marks: readMarks(request) }, { ...context, trace })
  }
  const openPass = (request: FastifyRequest) =>
    readPass({ secret: secretOf(request), marks: readMarks(request) }, context)
  const showPass = (request: FastifyRequest, reply: FastifyReply, response: Awaited<ReturnType<typeof readPass>>) =>
    response.page === 'paper' ? sendPass(request, reply, response, context.now()) : send(request, reply, response)
  const openWallet = (kind: WalletKind) => (request: FastifyRequest) => {
    const { language } = frameOf(request)
    return readWalletPass({ secret: secretOf(request), marks: readMarks(request), kind, language }, context)
  }
  const readEntry = (request: FastifyRequest) =>
    readAppointment({ secret: secretOf(request), marks: readMarks(request) }, context)
  app.get(FONT.path, (_request, reply) => reply.headers(FONT_HEADERS).send(FONT.bytes))
  await app.register((scope, _options, done) => {
    const windows = new Windows()
    readForms(scope)
    scope.setErrorHandler(answerFailure)
    scope.addHook('onRequest', (request, reply, next) => {
      void reply.headers(PAGE_HEADERS)
      const seconds = countRequest(request, windows)
      if (seconds === undefined) next()
      else void sendNotice(request, reply.header('retry-after', String(seconds)), { notice: 'tooMany' }, 429)
    })
    scope.get('/o/:secret', inTurn(open, send))
    scope.post('/o/:secret', inTurn(submit, send))
    // Another order of the requester who got the link.
    scope.get('/o/:secret/orders/:code', inTurn(open, send))
    scope.post('/o/:secret/orders/:code', inTurn(submit, send))
    scope.get('/o/:secret/appointment.ics', inTurn(readEntry, sendAppointment))
    scope.get('/o/:secret/pass.pdf', inTurn(openPass, showPass))
    scope.get('/o/:secret/pass.pkpass', inTurn(openWallet('apple'), sendWallet))
    scope.get('/o/:secret/wallet', inTurn(openWallet('google'), sendWallet))
    scope.get('/o/*', (request, reply) => sendNotice(request, reply, WRONG_LINK, 404))
    done()
  })
}

function secretOf({ params }: FastifyRequest): string {
  const { secret, '*': longer = '' } = params as { secret?: string; '*'?: string }
  return secret ?? longer
}

function nameOf(request: FastifyRequest): LinkName {
  const { code } = request.params as { code?: string }
  return { secret: secretOf(request), code }
}

/** How many seconds the client has to wait; undefined within the limits. */
function countRequest(request: FastifyRequest, windows: Windows): number | undefined {
  const counted = [
    { most: MOST_BY_ADDRESS, ...windows.count(`address ${request.ip}`) },
    { most: MOST_BY_LINK, ...windows.count(`link ${hashSecret(secretOf(request)).toString('base64')}`) },
  ]
  const over = counted.filter(({ count, most }) => count > most)
  return over.length > 0 ? Math.max(...over.map(({ seconds }) => seconds)) : undefined
}

/** These routes accept forms only, and no other route does. */
function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, body, done) => {
    done(null, pickTexts(new URLSearchParams(body as string), FORM_FIELDS))
  })
}

const formOf = ({ body }: FastifyRequest) => (body ?? {}) as Record<string, string>

/** The parameters that addresses of pages have. */
export const readQuery = ({ query }: FastifyRequest) => pickTexts(Object.entries(query as object), ADDRESS_FIELDS)

function pickTexts(given: Iterable<[string, unknown]>, known: Set<string>): Record<string, string> {
  const texts = [...given].flatMap(([name, value]): [string, string][] =>
    // PostgreSQL cannot store NUL.
    known.has(name) && typeof value === 'string' ? [[name, value.replaceAll('\u0000', '')]] : [],
  )
  return Object.fromEntries(texts)
}

function frameOf(request: FastifyRequest): Frame {
  const { lang } = request.query as { lang?: unknown }
  const { lang: switched } = formOf(request)
  const { secret, code } = nameOf(request)
  return {
    ...negotiateLanguage(switched ?? lang, request.headers['accept-language']),
    path: `/o/${encodeURIComponent(secret)}${code === undefined ? '' : `/orders/${encodeURIComponent(code)}`}`,
    ...(request.method === 'POST' ? { posted: formOf(request) } : { asked: readQuery(request) }),
  }
}

function send(request: FastifyRequest, reply: FastifyReply, response: LinkResponse): FastifyReply {
  const frame = frameOf(request)
  switch (response.page) {
    case 'redirect':
      if (response.device) keepMark(request, reply, response.device)
      return keepDraft(request, reply, { ...frame, draft: response.draft }).redirect(
        pageUrl(frame, response.query),
        303,
      )
    case 'notice':
      return sendNotice(request, reply, response, response.status)
    default:
      // A form is answered without a redirect only if it is too long for a cookie.
      return sendPage(request, reply, {
        frame,
        page: PAGES[response.page](frame, response.view as never),
        brand: 'order' in response.view ? response.view.order.brand : response.view.brand,
        status: frame.posted ? 422 : 200,
      })
  }
}

/** The page of each step. */
export const PAGES = {
  authorization: authorizationPage,
  check: checkPage,
  decline: declinePage,
  details: detailsPage,
  disclosure: disclosurePage,
  done: donePage,
  clinics: clinicsPage,
  time: timePage,
  change: changePage,
  help: helpPage,
  pass: passPage,
  booking: bookingPage,
  cancel: cancelPage,
  identity: identityPage,
  requests: requestsPage,
}

const WRONG_LINK: NoticeView = { notice: 'wrongLink' }

/** Notices contain nothing of the person and the tests of an order, and of the request only a link that exists. */
function sendNotice(request: FastifyRequest, reply: FastifyReply, view: NoticeView, status: number): FastifyReply {
  const { language, isChosen, path } = frameOf(request)
  const frame = { language, isChosen, path: view.about || view.notice === 'expiredLink' ? path : '' }
  return sendPage(request, reply, { frame, page: noticePage(frame, view), brand: view.about?.brand ?? null, status })
}

/** Above this size a page is worth packing; a page takes a third of a millisecond. */
const PLAIN_BYTES = 1024

/** Only somebody who knows the link gets a page with secrets, so its packed size tells nobody else anything. */
function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { frame, page, brand, status }: { frame: Frame; page: string; brand: Brand | null; status: number },
): FastifyReply {
  void reply.code(status).type('text/html; charset=utf-8').header('content-language', frame.language)
  if (brand) void reply.header('content-security-policy', policyFor(brand))
  if (page.length < PLAIN_BYTES || !takesGzip(headers['accept-encoding'])) return reply.send(page)
  return reply.header('content-encoding', 'gzip').send(gzipSync(page))
}

function sendAppointment(
  request: FastifyRequest,
  reply: FastifyReply,
  entry: Parameters<typeof calendarFile>[0] | null | undefined,
): FastifyReply {
  if (entry === null) return send(request, reply, { page: 'redirect', query: {} })
  if (!entry) return sendNotice(request, reply, WRONG_LINK, 404)
  return reply
    .type('text/calendar; charset=utf-8')
    .header('content-disposition', `attachment; filename="${calendarFileName(entry)}"`)
    .send(calendarFile({ ...entry, link: linkOf(request) }, frameOf(request).language))
}

/** The address of the page, as the browser knows it. */
const linkOf = (request: FastifyRequest) => `${request.protocol}://${request.host}${frameOf(request).path}`
function sendWallet(request: FastifyRequest, reply: FastifyReply, response: WalletResponse): FastifyReply {
  if (response.page === 'google') return reply.redirect(response.url, 303)
  if (response.page !== 'apple') return send(request, reply, response)
  return reply
    .type('application/vnd.apple.pkpass')
    .header('content-disposition', 'attachment; filename="pass.pkpass"')
    .send(response.file)
}

/** The file name contains nothing about the person. */
async function sendPass(
  request: FastifyRequest,
  reply: FastifyReply,
  { view, collector }: { view: PassView; collector: CollectorView },
  now: Date,
): Promise<FastifyReply> {
  const { language } = frameOf(request)
  // Loaded on first use: it would slow down every start and every command by 0.2 seconds.
  const { passPdf } = await import('@order-testing/pages/pass-pdf')
  const pdf = await passPdf(view, language, now, collector)
  if (reply.sent) return reply
  return reply
    .type('application/pdf')
    .header('content-security-policy', PDF_POLICY)
    .header('content-language', language)
    .header('content-disposition', `inline; filename="pass-${view.code}.pdf"`)
    .send(pdf)
}

function answerFailure(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.headers(PAGE_HEADERS)
  // The order has changed meanwhile: the link shows its current state.
  if (error instanceof Refusal) return reply.redirect(pageUrl(frameOf(request)), 303)
  const { statusCode = 500 } = error
  if (statusCode === 413) return sendNotice(request, reply, { notice: 'tooLarge' }, 413)
  if (statusCode >= 400 && statusCode < 500) return sendNotice(request, reply, { notice: 'unreadable' }, statusCode)
  logFailure(error, request)
  return sendNotice(request, reply.header('retry-after', '1'), { notice: 'broken' }, 503)
}
