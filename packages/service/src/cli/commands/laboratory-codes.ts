import { Option, type Command } from 'commander'
import { CODE_ORIGINS, type KnownCode } from '@order-testing/contract/operator'
import { Api, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { withPaging, type PageOptions } from '../option-values.ts'
import { show, showDone } from '../output/print.ts'
import { escapeControls, pageTable, type Found } from '../output/table.ts'

interface ListOptions extends ApiOptions, PageOptions {
  lab?: string
  origin?: KnownCode['origin']
}

/** The services that laboratories mean by their codes. */
export function addCodes(results: Command): void {
  const codes = results.command('codes').description('List, set and forget laboratory codes.')
  withExamples(withPaging(withService(codes.command('list'))), 'ots results codes list --origin learned')
    .description('List laboratory codes and their services.')
    .option('--lab <id>', 'only of this laboratory')
    .addOption(new Option('--origin <origin>', 'only from the catalog, or only learned').choices(CODE_ORIGINS))
    .action(async ({ lab, origin, limit, page, ...options }: ListOptions) => {
      show(await new Api(options).ask('listLaboratoryCodes', { query: { lab, origin, limit, page } }), codesText)
    })

  withExamples(withService(codes.command('set')), 'ots results codes set lab-halvorsen-ridge D5U svc-dot-urine-5')
    .description('Set the service that a laboratory means by a code. Codes of catalog files are changed there.')
    .argument('<lab>', 'id of the laboratory or sender')
    .argument('<code>', 'code that it sends')
    .argument('<service>', 'id of the service in the catalog')
    .action(async (lab: string, code: string, serviceId: string, options: ApiOptions) => {
      const request = { params: { lab, code }, body: { serviceId } }
      const known = await new Api(options).ask('rememberLaboratoryCode', request)
      showDone(known, () =>
        escapeControls(`The code ${code} of ${lab} stands for ${known.service.name ?? known.service.id}.`),
      )
    })

  withExamples(withService(codes.command('forget')), 'ots results codes forget lab-halvorsen-ridge D5U')
    .description('Forget a learned code.')
    .argument('<lab>', 'laboratory, as listed')
    .argument('<code>', 'code, as listed')
    .action(async (lab: string, code: string, options: ApiOptions) => {
      const forgotten = await new Api(options).ask('forgetLaboratoryCode', { params: { lab, code } })
      showDone(forgotten, () => `Forgot the code ${escapeControls(code)} of ${escapeControls(lab)}.`)
    })
}

const codesText = (found: Found<KnownCode>) =>
  pageTable(found, ['code', 'codes'], {
    head: ['Laboratory', 'Code', 'Service', 'Name', 'Origin'],
    empty: 'No laboratory codes.',
    row: ({ lab, code, service, origin }) => [
      escapeControls(lab),
      escapeControls(code),
      service.id,
      escapeControls(service.name ?? ''),
      origin,
    ],
  })
