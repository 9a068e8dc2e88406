import { readFile } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import {
  readAppleWallet,
  readGoogleWallet,
  WALLETS,
  type WalletKind,
  type WalletSummary,
} from '../../domain/participants/wallet.ts'
import { refuse } from '../../domain/refusal.ts'
import { listWallets, removeWallet, setWallet } from '../../operations/participants/wallet-settings.ts'
import type { Store } from '../../store/store.ts'
import { withExamples } from '../help.ts'
import { show, showDone } from '../output/print.ts'
import { table } from '../output/table.ts'
import { withStore } from '../run/database.ts'
import { recorder } from '../run/local-actor.ts'
import { chooseTenant } from './catalog.ts'

interface SetOptions {
  tenant?: string
  certificate?: string
  key?: string
  issuer?: string
  passphraseFile?: string
  issuerId?: string
  serviceAccount?: string
}

const TENANT = ['--tenant <id>', 'id of the tenant; optional if there is only one'] as const

export function define(wallet: Command): void {
  wallet.description(
    'Set what the passes for Apple Wallet and Google Wallet are signed with. Works on the database; audited.',
  )

  withExamples(
    wallet.command('set'),
    'ots wallet set apple --certificate pass.pem --key key.pem --issuer ca.pem',
    'ots wallet set google --issuer-id 33880000 --service-account key.json',
  )
    .description('Set the certificate or account. It is never printed.')
    .addArgument(walletArgument())
    .option(...TENANT)
    .option('--certificate <file>', 'Apple: Pass Type ID certificate (PEM)')
    .option('--key <file>', 'Apple: its private key (PEM)')
    .option('--issuer <file>', 'Apple: intermediate certificate of Apple, WWDR (PEM)')
    .option('--passphrase-file <file>', 'Apple: file with the passphrase of the key')
    .option('--issuer-id <id>', 'Google: numeric id of the issuer')
    .option('--service-account <file>', 'Google: key file of the service account (JSON)')
    .action(async (kind: WalletKind, options: SetOptions) => {
      const summary = await withStore((store) => set(kind, options, store))
      showDone(present(summary), () => `Passes are now signed with ${summary.identifier}.`)
    })

  withExamples(wallet.command('show'), 'ots wallet show')
    .description('Show what is set, and when it expires. Prints no secret.')
    .option(...TENANT)
    .action(async ({ tenant }: { tenant?: string }) => {
      const read = async (store: Store) => listWallets(await chooseTenant(tenant, store), store)
      show((await withStore(read, { readOnly: true })).map(present), summaryText)
    })

  withExamples(wallet.command('remove'), 'ots wallet remove apple')
    .description('Remove the certificate or account, and the buttons.')
    .addArgument(walletArgument())
    .option(...TENANT)
    .action(async (kind: WalletKind, { tenant }: { tenant?: string }) => {
      const isRemoved = await withStore(async (store) =>
        removeWallet(kind, { tenantId: await chooseTenant(tenant, store), record: recorder(), now: new Date() }, store),
      )
      showDone({ kind, isRemoved }, () => (isRemoved ? `Removed ${kind}.` : `Nothing was set for ${kind}.`))
    })
}

const walletArgument = () => new Argument('<wallet>', 'the wallet').choices(WALLETS)

async function set(kind: WalletKind, options: SetOptions, store: Store): Promise<WalletSummary> {
  const change = { tenantId: await chooseTenant(options.tenant, store), record: recorder(), now: new Date() }
  if (kind === 'google') {
    const { issuerId, serviceAccount } = options
    if (issuerId === undefined) throw refuse('required', 'Give the issuer with --issuer-id.')
    return setWallet(
      kind,
      readGoogleWallet(issuerId, await readText(serviceAccount, '--service-account')),
      change,
      store,
    )
  }
  const { passphraseFile } = options
  const files = {
    certificate: await readText(options.certificate, '--certificate'),
    key: await readText(options.key, '--key'),
    issuer: await readText(options.issuer, '--issuer'),
    passphrase: passphraseFile === undefined ? undefined : (await readText(passphraseFile, '')).trimEnd(),
  }
  return setWallet(kind, readAppleWallet(files, change.now), change, store)
}

async function readText(path: string | undefined, option: string): Promise<string> {
  if (path === undefined) throw refuse('required', `Give the file with ${option}.`)
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw refuse('invalidValue', `Cannot be read: ${path}`)
  }
}

const present = ({ kind, identifier, expiresAt }: WalletSummary) => ({
  kind,
  identifier,
  expiresAt: expiresAt?.toISOString() ?? null,
})

const summaryText = (found: ReturnType<typeof present>[]) =>
  found.length === 0
    ? 'No wallet is set. Passes have no wallet button.'
    : table(
        found.map(({ kind, identifier, expiresAt }) => [kind, identifier, expiresAt ?? '']),
        { head: ['Wallet', 'Identifier', 'Expires'] },
      )
