/** The style sheet of all pages. Colors have a contrast of at least 4.5:1, in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --ink: #1b1f24; --soft: #545b64; --line: #8a929c; --hair: #d5d9de; --act: #0b57a4; --act-ink: #fff; --bad: #b3261e; --bad-card: #fdeceb; --note: #e8f1fb; --focus: #b35900; --sea: #e6e9ed }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --card: #1e2328; --ink: #eceff2; --soft: #b0b8c1; --line: #7d8792; --hair: #3a424b; --act: #8ec2ff; --act-ink: #0b1a2b; --bad: #ff9d94; --bad-card: #3a2020; --note: #1c2f44; --focus: #ffb454; --sea: #101316 } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; background: var(--page); color: var(--ink); font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: break-word }
header, main, footer { max-width: 40rem; margin: 0 auto; padding: 0 1rem }
header { display: flex; justify-content: flex-end; align-items: center; gap: 1rem; min-height: 3.5rem }
header p { margin: 0; color: var(--soft) }
header .link { margin-right: -.625rem }
main { padding-bottom: 2.5rem }
footer { padding-bottom: 2rem; color: var(--soft) }
h1 { font-size: 1.75rem; line-height: 1.2; margin: .75rem 0 1rem }
h2, legend { font-size: 1.25rem; font-weight: 700; line-height: 1.3; margin: 0 0 .75rem; padding: 0 }
h3 { font-size: 1.125rem; line-height: 1.3; margin: 0 0 .25rem }
p { margin: 0 0 1rem }
ul { margin: 0 0 1rem; padding-left: 1.25rem }
dd ul, .summary ul { margin: 0 }
a { color: var(--act); text-underline-offset: .2em }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 1 }
.card { background: var(--card); border: 1px solid var(--hair); border-radius: .75rem; margin: 0 0 1.25rem; padding: min(1.25rem, 5vw) }
.card > :last-child { margin-bottom: 0 }
fieldset { border: 0; margin: 0 0 1.75rem; min-width: 0; padding: 0 }
fieldset:last-of-type { margin-bottom: 1.25rem }
.soft, .hint { color: var(--soft) }
.hint { margin: -.25rem 0 .75rem }
.note { background: var(--note); border: 1px solid transparent; border-radius: .75rem; margin-bottom: 1.25rem; padding: 1rem min(1.25rem, 5vw) }
.field { margin: 0 0 1.125rem }
.field label, .label { display: block; font-weight: 600; margin: 0 0 .25rem }
.field label span { color: var(--soft); font-weight: 400 }
input:not([type=checkbox], [type=radio]), select { appearance: none; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; color: inherit; display: block; font: inherit; min-height: 3rem; padding: .5rem .75rem; width: 100% }
select { appearance: auto }
input[aria-invalid], select[aria-invalid] { border: 2px solid var(--bad) !important }
.error { color: var(--bad); font-weight: 600; margin: 0 0 .375rem }
.summary { background: var(--bad-card); border: 2px solid var(--bad); border-radius: .75rem; margin: 0 0 1.25rem; padding: 1rem min(1.25rem, 5vw) }
.summary h2 { margin-bottom: .5rem }
.summary a { color: var(--bad); display: block; font-weight: 600; overflow-wrap: anywhere; padding: .25rem 0; width: fit-content }
.pair { align-items: end; display: grid; gap: 0 1rem }
@media (min-width: 34rem) { .pair { grid-template-columns: 1fr 1fr } .card { padding: 1.5rem } }
.check { display: grid; gap: .875rem; grid-template-columns: 1.75rem minmax(0, 1fr); margin: 0 0 .75rem; min-height: 2.75rem; align-items: start }
.check input { accent-color: var(--act); height: 1.5rem; margin: .125rem; width: 1.5rem }
.check label { font-weight: 400; padding-bottom: .375rem }
button, .button { background: var(--act); border: 2px solid var(--act); border-radius: .5rem; color: var(--act-ink); cursor: pointer; display: inline-flex; align-items: center; justify-content: center; font: inherit; font-weight: 600; min-height: 3rem; padding: .5rem 1.25rem; text-align: center; text-decoration: none }
.plain { background: transparent; color: var(--act) }
.link { background: transparent; border-color: transparent; color: var(--act); font-weight: 400; min-height: 2.75rem; padding: .25rem .5rem; text-decoration: underline; text-underline-offset: .2em }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0 0 1.25rem }
@media (max-width: 33.99rem) { .actions > *, .actions form, .actions form button, form.card > button, .clinic button { width: 100% } }
.clinic { display: grid; gap: .5rem 1rem }
.clinic p, .clinic address { font-style: normal; margin: 0 }
form > .link, p > .link { margin-left: -.625rem }
.call { display: inline-block; padding: .625rem 0; margin: -.5rem 0 }
.clinic h2 { margin: 0 }
.clinics { list-style: none; margin: 0; padding: 0 }
.clinics > :target { border-color: var(--act); outline: 2px solid var(--act) }
.number { background: var(--act); border-radius: 1rem; color: var(--act-ink); display: inline-block; font-size: 1rem; line-height: 1.75rem; margin-right: .25rem; min-width: 1.75rem; padding: 0 .25rem; text-align: center }
.map { margin: 0 auto 1.25rem; max-width: 32rem; position: relative }
.map svg { background: var(--sea); border: 1px solid var(--hair); border-radius: .75rem; display: block; width: 100% }
.map figcaption { color: var(--soft); font-size: .9375rem; margin-top: .5rem }
.map path, .ring { fill: none; stroke: var(--line); stroke-linecap: round; stroke-linejoin: round; stroke-width: 2 }
.map .land { fill: var(--card) }
.map .county { stroke-opacity: .45 }
.ring { stroke: var(--act); stroke-dasharray: 4 8 }
.map .here { stroke: var(--bad); stroke-width: 6 }
.map .leader, .map .compass { stroke: var(--ink) }
.map text { fill: var(--soft); font-size: 25px; paint-order: stroke; stroke: var(--card); stroke-width: 5; text-anchor: middle }
.map .far { fill: var(--act) }
.dot { fill: var(--soft) }
.spot { fill: var(--ink) }
.pin { fill: var(--act); stroke: var(--card); stroke-width: 3 }
.map a text { fill: var(--act-ink); font-size: 26px; font-weight: 700; stroke: none }
.map a:focus-visible { outline: none }
.map a:focus-visible .pin { stroke: var(--focus); stroke-width: 8 }
.map a:hover .pin { fill: var(--ink) }
.map a:hover text { fill: var(--card) }
.away { font-weight: 600 }
.away::first-letter { text-transform: uppercase }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between }
details summary { color: var(--act); cursor: pointer; min-height: 2.75rem; padding: .5rem 0; width: fit-content }
@supports selector(:has(*)) { fieldset:not(:has(#way-appointment:checked)) > .set { display: none } }
.week { border-spacing: 0; font-variant-numeric: tabular-nums }
.week th { font-weight: 400; padding: .125rem 1.5rem .125rem 0; text-align: left; vertical-align: top }
.week td { padding: .125rem 0 }
details { container-type: inline-size }
@container (max-width: 15rem) { .week th, .week td { display: block; padding-right: 0 } }
.code { font: 700 min(11vw, 3.25rem)/1.1 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .02em; margin: 0 0 1rem; text-align: center; white-space: nowrap }
.barcode { background: #fff; border-radius: .5rem; display: block; height: 6rem; margin: 0 auto; max-width: 26rem; padding: .5rem 0; width: 100% }
.pass dt { color: var(--soft); margin: 1.125rem 0 .125rem }
.pass dt:first-child { margin-top: 0 }
.pass dd { margin: 0 }
.pass dl { margin: 0 }
.when { font-size: 1.1875rem; font-weight: 700 }
.center { text-align: center }
@media print {
  :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #333; --hair: #999; --act: #000 }
  .screen, .skip { display: none !important }
  @page { margin: .5in }
  body { font-size: 11pt; line-height: 1.35 }
  h1 { margin-top: 0 }
  main { padding: 0 }
  .card { border: 1px solid #999; break-inside: avoid; margin-bottom: .75rem; padding: .75rem 1rem }
  .pass dt { margin-top: .5rem }
  .call { padding: 0; margin: 0 }
  details:not([open]) summary { display: none }
  details::details-content { content-visibility: visible }
}
`
