import { escapeHtml } from '@order-testing/pages'
import { operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import { parse } from '@order-testing/contract'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../domain/refusal.ts'
import { receiveText, reportBounce } from '../../operations/notifications/reports.ts'
import type { Context } from '../../operations/operation.ts'
import type { ThreadAnswer } from '../../threads/thread-jobs.ts'
import { bearerOf } from '../basic.ts'
import { ForeignBody } from '../bodies.ts'
import { router, type RouteContext } from './routes.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const CHALLENGE = 'Basic realm="Providers", charset="UTF-8"'

/** What providers report: incoming text messages and messages that came back. Their token may come as a password. */
export function addMessageReports(app: FastifyInstance, context: RouteContext): void {
  // Its own scope, so that no other route accepts forms and passwords.
  void app.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, _reply, next) => {
      const authorization = bearerOf(request.headers.authorization)
      if (authorization !== undefined) request.headers.authorization = authorization
      next()
    })
    // Providers send the password only after they were asked for it.
    scope.addHook('onSend', (_request, reply, payload, next) => {
      const asked = reply.getHeader('www-authenticate')
      if (reply.statusCode === 401)
        void reply.header('www-authenticate', [CHALLENGE, ...(asked ? [String(asked)] : [])])
      next(null, payload)
    })
    scope.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, (_request, body, next) =>
      next(null, new ForeignBody('form', body as Buffer)),
    )
    const serve = router(scope, context)
    serve(endpoints.receiveText, receiveText, { foreign: { types: [FORM_TYPE], answer: answerForm } })
    serve(endpoints.reportBounce, reportBounce)
    done()
  })
}

/** Twilio's fields, answered with TwiML. */
async function answerForm({ bytes }: ForeignBody, context: Context): Promise<ThreadAnswer> {
  const form = new URLSearchParams(bytes.toString('utf8'))
  const given = { from: form.get('From') ?? undefined, text: form.get('Body') ?? '' }
  const body = parse(endpoints.receiveText.body, given)
  if (!body.ok) throw new Refusal(body.problems)
  const answered = await receiveText({ body: body.value, params: undefined, query: {}, headers: undefined }, context)
  const reply = 'body' in answered ? answered.body.reply : null
  const message = reply === null ? '' : `<Message>${escapeHtml(reply)}</Message>`
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Response>${message}</Response>`
  return { status: 200, bytes: Buffer.from(xml), type: 'text/xml; charset=utf-8' }
}
