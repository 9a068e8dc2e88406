import { createHash } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  pageUrl,
  BOOKING,
  bookingPage,
  calendarFile,
  cancelPage,
  clinicsPage,
  DETAILS,
  detailsPage,
  negotiateLanguage,
  noticePage,
  passPage,
  STYLE,
  timePage,
  type Frame,
  type Notice,
  type PassView,
  type Reader,
} from '@order-testing/pages'
import { Refusal } from '../../domain/refusal.ts'
import { hashSecret } from '../../domain/access/tokens.ts'
import { openLink, readAppointment, submitForm } from '../../operations/participants/page.ts'
import type { ParticipantContext, Shown } from '../../operations/participants/visit.ts'
import { isAwaited, type Admission } from '../limits/admission.ts'
import { discreet } from '../errors.ts'
import { Windows } from '../limits/rate-limit.ts'

/** Requests a minute. A waiting room shares an address, but nobody else a link. */
const MOST_BY_ADDRESS = 240
const MOST_BY_LINK = 60
/** More than all fields filled to the brim, in letters of any script. */
const FORM_LIMIT = 32 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'
const FORM_FIELDS = new Set<string>([...DETAILS, ...BOOKING, 'step', 'change', 'draft'])
/** What an address may hold: nothing of a person that could be read. */
const ADDRESS_FIELDS = new Set<string>([...BOOKING, 'step', 'change', 'draft', 'note'])

/** The one style sheet may be used, and forms sent back to where they came from; nothing else. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept-language',
}

/** A browser shows a PDF with styles and parts of its own, which the policy of pages would forbid. */
const PDF_POLICY = "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

/** The pages behind the links that participants and requesters are sent. */
export async function addParticipantRoutes(
  app: FastifyInstance,
  { admission, ...context }: ParticipantContext & { admission: Admission },
): Promise<void> {
  /** Sends what the work comes to, unless the request has been answered meanwhile, by its deadline, or is gone. */
  const inTurn = async <T>(
    request: FastifyRequest,
    reply: FastifyReply,
    { work, show }: { work: () => Promise<T>; show: (done: T) => FastifyReply | Promise<FastifyReply> },
  ) => {
    const party = { tenantId: request.ip, tokenId: '' }
    const done = await admission.run('page', party, async () => ({ value: await work() }), isAwaited(request, reply))
    return done && !reply.sent ? show(done.value) : undefined
  }
  await app.register((scope, _options, done) => {
    const windows = new Windows()
    readForms(scope)
    scope.setErrorHandler(answerFailure)
    scope.addHook('onRequest', (request, reply, next) => {
      void reply.headers(HEADERS)
      const seconds = waitOf(request, windows)
      if (seconds === undefined) next()
      else void sendNotice(request, reply.header('retry-after', String(seconds)), 'tooMany', 429)
    })
    scope.get('/o/:secret', (request, reply) => {
      const asked = { draft: draftKept(request), ...askedIn(request) }
      return inTurn(request, reply, {
        work: () => openLink({ secret: secretOf(request), asked }, context),
        show: (shown) => send(request, reply, shown),
      })
    })
    scope.post('/o/:secret', (request, reply) => {
      const asked = { secret: secretOf(request), form: formOf(request), language: frameOf(request).language }
      return inTurn(request, reply, {
        work: () => submitForm(asked, context),
        show: (shown) => send(request, reply, shown),
      })
    })
    scope.get('/o/:secret/appointment.ics', (request, reply) =>
      inTurn(request, reply, {
        work: () => readAppointment(secretOf(request), context),
        show: (entry) => sendAppointment(request, reply, entry),
      }),
    )
    scope.get('/o/:secret/pass.pdf', (request, reply) =>
      inTurn(request, reply, {
        work: () => openLink({ secret: secretOf(request), asked: {} }, context),
        show: (shown) => {
          if (shown.page === 'pass') return sendPass(request, reply, shown.view, context.now())
          return send(request, reply, shown.page === 'notice' ? shown : { page: 'own' })
        },
      }),
    )
    scope.get('/o/*', (request, reply) => sendNotice(request, reply, 'wrongLink', 404))
    done()
  })
}

/** A damaged link is read to the letter, so that it is looked up and answered like any other. */
export function readableLink(url: string): string {
  if (!url.startsWith('/o/')) return url
  const [path = ''] = url.split('?', 1)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

function secretOf({ params }: FastifyRequest): string {
  const { secret, '*': longer = '' } = params as { secret?: string; '*'?: string }
  return secret ?? longer
}

/** How many seconds the sender has to wait; undefined where there were not too many requests. */
function waitOf(request: FastifyRequest, windows: Windows): number | undefined {
  const counted = [
    { most: MOST_BY_ADDRESS, ...windows.count(`address ${request.ip}`) },
    { most: MOST_BY_LINK, ...windows.count(`link ${hashSecret(secretOf(request)).toString('base64')}`) },
  ]
  const over = counted.filter(({ count, most }) => count > most)
  return over.length > 0 ? Math.max(...over.map(({ seconds }) => seconds)) : undefined
}

/** Forms of pages are all that is taken here, and nowhere else. */
function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_request, body, done) => {
    done(null, textsIn(new URLSearchParams(body as string), FORM_FIELDS))
  })
}

const formOf = ({ body }: FastifyRequest) => (body ?? {}) as Record<string, string>

const askedIn = ({ query }: FastifyRequest) => textsIn(Object.entries(query as object), ADDRESS_FIELDS)

function textsIn(given: Iterable<[string, unknown]>, known: Set<string>): Record<string, string> {
  const texts = [...given].flatMap(([name, value]): [string, string][] =>
    // NUL, which nobody can type, could not even be looked up.
    known.has(name) && typeof value === 'string' ? [[name, value.replaceAll('\u0000', '')]] : [],
  )
  return Object.fromEntries(texts)
}

function frameOf(request: FastifyRequest): Frame {
  const { lang } = request.query as { lang?: unknown }
  return {
    ...negotiateLanguage(lang, request.headers['accept-language']),
    path: `/o/${encodeURIComponent(secretOf(request))}`,
    ...(request.method === 'POST' ? { posted: formOf(request) } : { asked: askedIn(request) }),
  }
}

function send(request: FastifyRequest, reply: FastifyReply, shown: Shown): FastifyReply {
  const frame = frameOf(request)
  switch (shown.page) {
    case 'own':
      return keepDraft(request, reply, undefined).redirect(pageUrl(frame, { note: shown.note }), 303)
    case 'step':
      return keepDraft(request, reply, shown.asked['draft']).redirect(pageUrl(frame, shown.asked), 303)
    case 'notice':
      return sendNotice(request, reply, shown.notice, shown.status, shown.reader)
    case 'details':
      // Only what is too long for an address answers a form itself.
      return sendPage(reply, frame, detailsPage(frame, shown.view), frame.posted ? 422 : 200)
    case 'clinics':
      return sendPage(reply, frame, clinicsPage(frame, shown.view), 200)
    case 'time':
      return sendPage(reply, frame, timePage(frame, shown.view), 200)
    default:
      return sendPage(reply, frame, PAGES[shown.page](frame, shown.view), 200)
  }
}

/** Who goes back to where details were typed finds them: not every browser remembers what its forms held. */
const draftKept = ({ headers: { cookie = '' } }: FastifyRequest) => /(?:^|; )draft=([\w-]+)/.exec(cookie)?.[1]

/** Cookies hold less than addresses. */
const LONGEST_KEPT = 3_800

/** The browser keeps the draft, for this link alone, until something was done. It opens no longer than those in addresses. */
function keepDraft(request: FastifyRequest, reply: FastifyReply, draft = ''): FastifyReply {
  if (request.method !== 'POST' || draft.length > LONGEST_KEPT) return reply
  const secure = request.protocol === 'https' ? '; Secure' : ''
  const age = draft === '' ? '; Max-Age=0' : ''
  const path = `/o/${encodeURIComponent(secretOf(request))}`
  return reply.header('set-cookie', `draft=${draft}; Path=${path}; HttpOnly; SameSite=Lax${secure}${age}`)
}

const PAGES = { pass: passPage, booking: bookingPage, cancel: cancelPage }

/** A notice tells nothing of an order, nor of what was asked or posted: it is the same for everybody who gets it. */
function sendNotice(
  request: FastifyRequest,
  reply: FastifyReply,
  notice: Notice,
  status: number,
  reader?: Reader,
): FastifyReply {
  const { language, isChosen } = frameOf(request)
  const frame = { language, isChosen, path: '' }
  return sendPage(reply, frame, noticePage(frame, notice, reader), status)
}

const sendPage = (reply: FastifyReply, { language }: Frame, page: string, status: number) =>
  reply.code(status).type('text/html; charset=utf-8').header('content-language', language).send(page)

function sendAppointment(
  request: FastifyRequest,
  reply: FastifyReply,
  entry: Parameters<typeof calendarFile>[0] | undefined,
): FastifyReply {
  if (!entry) return sendNotice(request, reply, 'wrongLink', 404)
  return reply
    .type('text/calendar; charset=utf-8')
    .header('content-disposition', 'attachment; filename="appointment.ics"')
    .send(calendarFile(entry, frameOf(request).language))
}

/** To be looked at and printed; a phone that saves it gives it a name that tells nothing of the person. */
async function sendPass(
  request: FastifyRequest,
  reply: FastifyReply,
  view: PassView,
  now: Date,
): Promise<FastifyReply> {
  const { language } = frameOf(request)
  // Loaded for the first who asks: it would make every start, and every command, a fifth of a second longer.
  const { passPdf } = await import('@order-testing/pages/pass-pdf')
  const pdf = await passPdf(view, language, now)
  if (reply.sent) return reply
  return reply
    .type('application/pdf')
    .header('content-security-policy', PDF_POLICY)
    .header('content-language', language)
    .header('content-disposition', `inline; filename="pass-${view.code}.pdf"`)
    .send(pdf)
}

function answerFailure(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.headers(HEADERS)
  // Something else has changed the order meanwhile: what there is to see now is at its own address.
  if (error instanceof Refusal) return reply.redirect(pageUrl(frameOf(request)), 303)
  const { statusCode = 500 } = error
  if (statusCode === 413) return sendNotice(request, reply, 'tooLarge', 413)
  if (statusCode >= 400 && statusCode < 500) return sendNotice(request, reply, 'broken', statusCode)
  request.log.error(
    { reqId: request.id, err: discreet(error), method: request.method, route: request.routeOptions.url },
    'request failed',
  )
  return sendNotice(request, reply.header('retry-after', '1'), 'broken', 503)
}
