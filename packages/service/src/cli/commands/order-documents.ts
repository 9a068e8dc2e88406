import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { OrderDocument } from '@order-testing/contract/operator'
import { Api, toRefusal, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { show, showDone } from '../output/print.ts'
import { escapeControls, formatCount, table } from '../output/table.ts'

const ORDER = ['<order>', 'id or code of the order'] as const

/** Commands for what belongs to an order on paper, and for what the participant sees. */
export function addDocumentCommands(orders: Command): void {
  withExamples(withService(orders.command('documents')), 'ots orders documents K7M4-2QXD')
    .description('List the documents of an order.')
    .argument(...ORDER)
    .action(async (id: string, options: ApiOptions) => {
      show(await new Api(options).ask('listOrderDocuments', { params: { id } }), ({ data }) => listing(data))
    })

  withExamples(withService(orders.command('document')), 'ots orders document K7M4-2QXD pass pass.pdf')
    .description('Save a document of an order. The read is audited.')
    .argument(...ORDER)
    .argument('<id>', 'id of the document; "ots orders documents" lists them')
    .argument('<file>', 'file to write')
    .action(async (id: string, documentId: string, file: string, options: ApiOptions) => {
      const { status, type, text, bytes } = await new Api(options).send('readOrderDocument', {
        params: { id, documentId },
      })
      if (status >= 300) throw toRefusal(status, text)
      await writeFile(file, bytes)
      showDone({ file, contentType: type, bytes: bytes.length }, () => `Saved ${formatCount(bytes.length, 'byte')}.`)
    })

  withExamples(withService(orders.command('view')), 'ots orders view K7M4-2QXD')
    .description("Show the participant's page. Prints an address that works for five minutes.")
    .argument(...ORDER)
    .action(async (id: string, options: ApiOptions) => {
      show(await new Api(options).ask('viewAsParticipant', { params: { id } }), ({ url }) => url)
    })
}

function listing(documents: OrderDocument[]): string {
  if (documents.length === 0) return 'No documents.'
  const rows = documents.map(({ id, kind, name, from, at, hiddenFor }) => [
    id,
    kind,
    escapeControls(hiddenFor === null ? name : `${name} (hidden until reviewed)`),
    escapeControls(from ?? ''),
    at,
  ])
  return table(rows, { head: ['Document', 'Kind', 'Name', 'From', 'At'] })
}
