import { ERROR_MEANINGS } from '@order-testing/contract'

/** A page of text in the style of the references. */
const pageOf = (title: string, content: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/page.css" />
  </head>
  <body>
    <main class="plain">
      <h1>${title}</h1>
${content}
      <p><a href="/docs">API reference</a></p>
    </main>
  </body>
</html>
`

/** Every error code; error bodies link to it. Codes of v1 that are names of constraints lead to the top of the page. */
export const errorsPage = () =>
  pageOf(
    'Error codes',
    Object.entries(ERROR_MEANINGS)
      .map(
        ([code, { status, cause, cure }]) =>
          `      <h2 id="${code}"><code>${code}</code> (${status})</h2>\n      <p>${cause} ${cure}</p>`,
      )
      .join('\n'),
  )

/** What the deprecation of v1 links to. */
export const v1Page = () =>
  pageOf(
    'From v1 to v2',
    `      <p>Orders of v1 and v2 are the same; only what callbacks receive and the codes of errors differ. There is no end date for v1.</p>
      <ol>
        <li>Let your receiver accept both: the body of a v1 delivery has <code>"object": "order"</code>, that of v2
          <code>"object": "event"</code>. Read the order at <code>data.url</code> of an event.</li>
        <li>Send creates to <code>POST /api/v2/orders</code>. New orders then get v2 events.</li>
        <li>Move the callbacks of open orders: <code>PUT /api/v2/orders/{id}/callback</code> with the same URL and the complete
          callback moves it to v2. No order is created, and no event is lost: what was created before is delivered as v1.</li>
        <li>For about an hour, deliveries of v1 can still arrive. Then remove their code.</li>
      </ol>`,
  )
