import { Option, type Command } from 'commander'
import { ROLES, type InvitedUser, type RoleId, type SignOut, type User } from '@order-testing/contract/operator'
import { Api, ApiRefusal, forEachId, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { withPaging, type PageOptions } from '../option-values.ts'
import { dim, paintState } from '../output/colors.ts'
import { note, show, showDone } from '../output/print.ts'
import { escapeControls, formatCount, pageTable, type Found } from '../output/table.ts'

interface InviteOptions extends ApiOptions {
  name: string
  role: RoleId
}

interface UpdateOptions extends ApiOptions {
  name?: string
  role?: RoleId
  activate?: true
}

const PERSON = ['<person>', 'e-mail address or id of the person'] as const
const PEOPLE = ['<people...>', 'e-mail addresses or ids of people'] as const

export function define(users: Command): void {
  users.description('Invite people to the console; list, change and sign them out.').addHelpText(
    'after',
    `
The first person of a new database is invited with an operator token:
  OTS_TOKEN=$(ots token create --scopes 'operator.*' --name "First invitation")
  ots users invite you@example.com --name "Your name" --role administrator`,
  )
  addInvitations(users)

  withExamples(
    withPaging(withService(users.command('list'))),
    'ots users list',
    "ots users list --json | jq -r '.data[].email'",
  )
    .description('List people, their roles and last sign-in.')
    .action(async ({ limit, page, ...options }: ApiOptions & PageOptions) => {
      show(await new Api(options).ask('listUsers', { query: { limit, page } }), listing)
    })

  withExamples(
    withService(users.command('update')),
    'ots users update rosa@example.com --role coordinator',
    'ots users update rosa@example.com --activate',
  )
    .description('Change or reactivate a person.')
    .argument(...PERSON)
    .option('--name <name>', 'new name')
    .addOption(new Option('--role <role>', 'new role').choices(ROLES))
    .option('--activate', 'let a deactivated person sign in again')
    .action(async (person: string, { name, role, activate, ...options }: UpdateOptions) => {
      if ((name ?? role ?? activate) === undefined) throw new ApiRefusal('Give --name, --role or --activate.')
      const api = new Api(options)
      const body = { name, role, isActive: activate }
      showDone(await api.ask('updateUser', { params: { id: await findId(api, person) }, body }), updatedText)
    })

  withExamples(withService(users.command('deactivate')), 'ots users deactivate rosa@example.com')
    .description('Sign people out and lock them out.')
    .argument(...PEOPLE)
    .action(async (people: string[], options: ApiOptions) => {
      const api = new Api(options)
      const deactivate = async (person: string) =>
        api.ask('updateUser', { params: { id: await findId(api, person) }, body: { isActive: false } })
      return forEachId(people, deactivate, ({ email }: User) => `${escapeControls(email)} can no longer sign in.`)
    })

  withExamples(withService(users.command('sign-out')), 'ots users sign-out rosa@example.com')
    .description('End all sessions of people. They can sign in again.')
    .argument(...PEOPLE)
    .action(async (people: string[], options: ApiOptions) => {
      const api = new Api(options)
      const signOut = async (person: string) => api.ask('signOutUser', { params: { id: await findId(api, person) } })
      return forEachId(people, signOut, ({ sessions }: SignOut) => `Ended ${formatCount(sessions, 'session')}.`)
    })
}

function addInvitations(users: Command): void {
  withExamples(
    withService(users.command('invite')),
    'ots users invite rosa@example.com --name "Rosa Delgado" --role coordinator',
  )
    .description(
      'Invite a person and print the link. It works once, for 7 days, and is also sent if there is a mail server.',
    )
    .argument('<email>', 'e-mail address of the person')
    .requiredOption('--name <name>', 'name of the person')
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).makeOptionMandatory())
    .action(async (email: string, { name, role, ...options }: InviteOptions) => {
      showInvitation(await new Api(options).ask('inviteUser', { body: { email, name, role } }))
    })

  withExamples(withService(users.command('reinvite')), 'ots users reinvite rosa@example.com')
    .description(
      'Print a new link for a person. For another device, a lost one, or after 7 days; earlier links stop working.',
    )
    .argument(...PERSON)
    .action(async (person: string, options: ApiOptions) => {
      const api = new Api(options)
      showInvitation(await api.ask('reinviteUser', { params: { id: await findId(api, person) } }))
    })
}

/** The link alone on stdout, so that scripts can take it. */
function showInvitation(user: InvitedUser): void {
  show(user, ({ invitation }) => invitation.url)
  const { email, role, invitation } = user
  const sent = invitation.isMailed ? 'was sent to' : 'was not sent: give it to'
  note(
    `Invited as ${role}. The link above ${sent} ${escapeControls(email)}. It works once, until ${invitation.expiresAt}.`,
  )
}

/** Looks up the id of a person given by id or e-mail address. */
async function findId(api: Api, person: string): Promise<string> {
  if (!person.includes('@')) return person
  for (let page = 1; ; page++) {
    const { data } = await api.ask('listUsers', { query: { limit: 20, page } })
    const found = data.find(({ email }) => email.toLowerCase() === person.toLowerCase())
    if (found) return found.id
    if (data.length === 0) throw new ApiRefusal(`Nobody has the e-mail address ${escapeControls(person)}.`)
  }
}

const listing = (found: Found<User>) =>
  pageTable(found, ['person', 'people'], {
    head: ['Id', 'E-mail', 'Name', 'Role', 'State', 'Sign-in', 'Last signed in'],
    empty: 'Nobody was invited yet. Begin with: ots users invite',
    order: 'oldest first',
    row: ({ id, email, name, role, state, passkeys, hasOidc, lastSignInAt }) => [
      id,
      escapeControls(email),
      escapeControls(name),
      role,
      paintState(state),
      [formatCount(passkeys, 'passkey'), ...(hasOidc ? ['single sign-on'] : [])].join(', '),
      lastSignInAt === null ? dim('never signed in') : dim(`signed in ${lastSignInAt}`),
    ],
  })

const updatedText = ({ email, name, role, state }: User) =>
  `${escapeControls(name)} (${escapeControls(email)}) is ${role}, ${state}.`
