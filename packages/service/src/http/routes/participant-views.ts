import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  negotiateLanguage,
  noticePage,
  pageUrl,
  withOperatorBanner,
  type Brand,
  type Frame,
} from '@order-testing/pages'
import { openView, VIEW_PATH } from '../../operations/participants/operator-views.ts'
import type { LinkResponse, ParticipantContext } from '../../operations/participants/session.ts'
import { PAGE_HEADERS, policyFor } from './page-headers.ts'
import { PAGES, readQuery } from './participants.ts'

/** Participants' pages for operators. Only GET exists, and the policy lets no form be sent and no script run. */
export function addParticipantViews(
  app: FastifyInstance,
  context: ParticipantContext,
  findSession: (request: FastifyRequest) => Promise<{ id: string } | undefined>,
): void {
  app.get(`${VIEW_PATH}/:ticket`, async (request: FastifyRequest<{ Params: { ticket: string } }>, reply) => {
    const { ticket } = request.params
    const frame = frameOf(request, ticket)
    const sessionId = (await findSession(request))?.id
    const response = await openView({ ticket, sessionId, query: readQuery(request) }, context)
    void reply.headers({ ...PAGE_HEADERS, 'content-security-policy': viewPolicy(null) })
    void reply.type('text/html; charset=utf-8').header('content-language', frame.language)
    if (!response) return reply.code(410).send(noticePage(frame, { notice: 'wrongLink' }))
    if (response.page === 'redirect') return reply.redirect(pageUrl(frame, response.query), 303)
    return reply
      .header('content-security-policy', viewPolicy(brandOf(response)))
      .send(withOperatorBanner(frame, render(frame, response)))
  })
}

const frameOf = ({ query, headers }: FastifyRequest, ticket: string): Frame => ({
  ...negotiateLanguage((query as { lang?: unknown }).lang, headers['accept-language']),
  path: `${VIEW_PATH}/${encodeURIComponent(ticket)}`,
})

type Shown = Exclude<LinkResponse, { page: 'redirect' }>

const render = (frame: Frame, response: Shown): string =>
  response.page === 'notice' ? noticePage(frame, response) : PAGES[response.page](frame, response.view as never)

function brandOf(response: Shown): Brand | null {
  if (response.page === 'notice') return response.about?.brand ?? null
  return 'order' in response.view ? response.view.order.brand : response.view.brand
}

/** A sandbox without forms and scripts, in which links stay on this origin. */
const viewPolicy = (brand: Brand | null) =>
  `${policyFor(brand).replace("form-action 'self'", "form-action 'none'")}; sandbox allow-same-origin`
