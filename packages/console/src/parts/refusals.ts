import type { Words } from '../languages/en.ts'
import * as times from './times.ts'

interface Problem {
  code: string
  detail: string
  pointer?: string | undefined
}

type Texts = Words['refusals']
/** Times and statuses, as people read them. */
interface Spoken {
  time: (iso: string) => string
  status: (status: string) => string
}
type Sentence = [pattern: RegExp, say: (texts: Texts, parts: string[], spoken: Spoken) => string]

/** The refusals that operators meet, by what the service says. A test compares them with the service. */
const SENTENCES: readonly Sentence[] = [
  [/^This time is in the past\.$/, (texts) => texts.past],
  [/^Expected a time in the future\.$/, (texts) => texts.future],
  [/^This time is more than a day in the future\./, (texts) => texts.tooFarAhead],
  [/^Expected a time within the next 30 days\.$/, (texts) => texts.within30Days],
  [/^The order expires before this time, at (\S+Z)\.$/, (texts, [at], { time }) => texts.expiresBefore(time(at!))],
  [/^The order is booked for (\S+Z), which is later\.$/, (texts, [at], { time }) => texts.bookedLater(time(at!))],
  [/^At most (\d+) days from today, until (\S+)\.$/, (texts, [days, until]) => texts.atMostDays(Number(days), until!)],
  [/^Order (\S+) is already (\w+)\.$/, (texts, [code, now], { status }) => texts.already(code!, status(now!))],
  [
    /^Order (\S+) has nothing left to collect: it is (\w+)\.$/,
    (texts, [code, now], { status }) => texts.nothingLeft(code!, status(now!)),
  ],
  [/^Order (\S+) does not expire any more/, (texts, [code]) => texts.checkedIn(code!)],
  [
    /^Order (\S+) has changed meanwhile: it is (\w+)\.$/,
    (texts, [code, now], { status }) => texts.changedMeanwhile(code!, status(now!)),
  ],
  [/^Order (\S+) is (\w+): a link has nothing/, (texts, [code, now], { status }) => texts.noLink(code!, status(now!))],
  [
    /^The service "(.+)" is (\w+) and cannot become (\w+)\./,
    (texts, [name, from, to], { status }) => texts.cannotBecome(name!, status(from!), status(to!)),
  ],
  [
    /^The service "(.+)" has no result to correct: it is (\w+)\.$/,
    (texts, [name, now], { status }) => texts.noResult(name!, status(now!)),
  ],
  [
    /^The result "(\w+)" cannot be corrected to "(\w+)"\./,
    (texts, [from, to], { status }) => texts.cannotCorrect(status(from!), status(to!)),
  ],
  [/^Somebody else works on this task\./, (texts) => texts.claimed],
  [/^This clinic does not offer all services/, (texts) => texts.lacksServices],
  [/^Unknown or inactive clinic\./, (texts) => texts.unknownClinic],
  [/^This clinic charges more than the fee cap/, (texts) => texts.overFeeCap],
  [
    /^The clinic is closed at (\S+) on (\S+) \((\S+)\)\./,
    (texts, [time, date, zone]) => texts.closedThen(time!, date!, zone!),
  ],
  [/^The clinic takes appointments every (\d+) minutes/, (texts, [minutes]) => texts.slotsEvery(Number(minutes))],
  [
    /^The clinic has no place left at (\S+) on (\S+) \((\S+)\)\./,
    (texts, [time, date, zone]) => texts.full(time!, date!, zone!),
  ],
  [/^The address is on the suppression list\./, (texts) => texts.suppressed],
  [/^This report is already \w+\.$/, (texts) => texts.reportDone],
  [/^Somebody with this e-mail address was invited already\.$/, (texts) => texts.invited],
  [/^This is your only way to sign in\./, (texts) => texts.onlyPasskey],
  [/^You cannot change your own role/, (texts) => texts.ownRole],
  [/^The demo operator of a sandbox keeps its role/, (texts) => texts.demoRole],
  [/^This message is being sent\./, (texts) => texts.beingSent],
  [/^This message is waiting and will be dropped/, (texts) => texts.willBeDropped],
  [/^This message is waiting: it is due at (\S+Z) /, (texts, [at], { time }) => texts.waitingUntil(time(at!))],
  [/^This message is waiting: it is due now/, (texts) => texts.waitingNow],
  [/^This was delivered\./, (texts) => texts.delivered],
  [/^The catalog has changed since the preview\./, (texts) => texts.catalogChanged],
  [/^Send an e-mail address or a phone\.$/, (texts) => texts.contactMissing],
  [/^Name the medical reviewer/, (texts) => texts.nameReviewer],
  [/^Say when the medical reviewer/, (texts) => texts.sayWhen],
  [/^This document cannot be read until the medical reviewer/, (texts) => texts.underReview],
  [/^There are (\d+) saved views already\./, (texts, [count]) => texts.tooManyViews(Number(count))],
  [/^(?:This (?:member|parameter) is|A JSON body is) required\.$/, (texts) => texts.required],
  [/^Expected an e-mail address/, (texts) => texts.email],
  [/^(?:Notifications go to this phone|Expected a phone number)/, (texts) => texts.phone],
  [/^Expected a date such as/, (texts) => texts.date],
  [/^Expected a date and time/, (texts) => texts.time],
  [/^Expected an absolute URL/, (texts) => texts.url],
  [/^Expected a number\.$/, (texts) => texts.number],
  [/^Expected a whole number\.$/, (texts) => texts.wholeNumber],
  [/^Expected at least (\d+)\.$/, (texts, [limit]) => texts.atLeast(Number(limit))],
  [/^Expected at most (\d+)\.$/, (texts, [limit]) => texts.atMost(Number(limit))],
  [/^Expected at least (\d+) characters?\.$/, (texts, [count]) => texts.atLeastCharacters(Number(count))],
  [/^Expected at most (\d+) characters?\.$/, (texts, [count]) => texts.atMostCharacters(Number(count))],
  [/^Expected one of (.+)\.$/, (texts, [values]) => texts.oneOf(values!)],
  [/^Unknown service\.$/, (texts) => texts.unknownService],
  [/^Not found, or not visible/, (texts) => texts.notFound],
]

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g

/** A refusal in the words of the console; the service's own sentence, with readable times, where it has none. */
export function explain({ code, detail }: Problem, words: Words, zone?: string): string {
  const texts = words.refusals
  const spoken: Spoken = {
    time: (iso) => (Number.isNaN(Date.parse(iso)) ? iso : times.moment(words, new Date(iso), zone)),
    status: (status) => (words.statuses[status] ?? status).toLowerCase(),
  }
  for (const [pattern, say] of SENTENCES) {
    const found = pattern.exec(detail)
    if (found) return say(texts, found.slice(1), spoken)
  }
  return texts.codes[code] ?? detail.replaceAll(INSTANT, spoken.time)
}

/** What is wrong with each field of a form, and what concerns no field. */
export interface SortedRefusal {
  at: (...pointers: string[]) => string | undefined
  /** What to say about the form as a whole; undefined if nothing was refused. */
  rest: string | undefined
}

/** Puts each problem beside the field that its pointer names. `shown` are the pointers that have a field. */
export function sortRefusal(
  problems: readonly Problem[],
  shown: readonly string[],
  { words, zone }: { words: Words; zone?: string | undefined },
): SortedRefusal {
  const beside = new Map<string, string>()
  const others: string[] = []
  for (const problem of problems) {
    const pointer = shown.find((each) => problem.pointer === each || problem.pointer?.startsWith(`${each}/`))
    const text = explain(problem, words, zone)
    if (pointer === undefined) others.push(text)
    else if (!beside.has(pointer)) beside.set(pointer, text)
  }
  const rest = [...others, ...(beside.size > 0 && others.length === 0 ? [words.refusals.marked] : [])].join(' ')
  return {
    at: (...pointers) => pointers.map((pointer) => beside.get(pointer)).find((text) => text !== undefined),
    rest: rest || undefined,
  }
}
