/** Drawn in the muted color of each scheme, since a background image knows no variables. */
const chevron = (color: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http:%2F%2Fwww.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23${color}' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='m6 9 6 6 6-6'/%3E%3C/svg%3E")`

/** Fields, choices and errors. */
export const FORMS = `
fieldset{border:0;min-width:0;padding:0}
legend{margin-bottom:16px;padding:0}
legend+.hint{margin:-12px 0 16px}
.fill{display:block;max-width:600px}
.fill>:where(:not([type=hidden]))~*,.stack>*+.fill{margin-top:28px}
.field+.field,.pair+.field,.field+.pair,.pair+.pair{margin-top:20px}
.field label,.label{display:block;font-weight:600;margin-bottom:6px}
.field label span{color:var(--muted);font-weight:400}
input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea{appearance:none;background:var(--surface);border:1.5px solid var(--control);border-radius:10px;color:inherit;display:block;font:inherit;min-height:50px;padding:10px 14px;width:100%}
select{background-image:${chevron('545F64')};background-position:right 12px center;background-repeat:no-repeat;background-size:22px;padding-right:42px;text-overflow:ellipsis}
@media (prefers-color-scheme:dark){select{background-image:${chevron('A8B4B6')}}}
textarea{min-height:88px;resize:vertical}
input[aria-invalid],select[aria-invalid]{border:2px solid var(--bad)!important}
.wrong{border-left:4px solid var(--bad);padding-left:14px}
.error{color:var(--bad);display:flex;font-size:.9375rem;font-weight:600;gap:8px;line-height:1.47;margin-bottom:8px}
.summary{background:var(--surface);border:2px solid var(--bad);border-radius:16px;margin-bottom:24px;max-width:600px;padding:16px 18px}
.summary h2{align-items:center;display:flex;gap:10px;margin-bottom:4px}
.summary .i{color:var(--bad);height:1.5rem;width:1.5rem}
.summary ul{list-style:none;padding:0}
.summary a{color:var(--bad);display:block;font-weight:600;overflow-wrap:anywhere;padding:6px 0;width:fit-content}
.pair{align-items:end;display:grid;gap:20px 16px}
.pair>.field{margin:0}
.field .hint{margin:-4px 0 8px}
.date legend{font-size:1.0625rem;font-weight:600;line-height:1.53;margin-bottom:4px}
.boxes{display:flex;flex-wrap:wrap;gap:12px}
.boxes .box label{display:block;font-size:.9375rem;line-height:1.47;margin-bottom:4px}
.boxes .box input{font-variant-numeric:tabular-nums;text-align:center;width:76px!important}
.boxes .box:last-child input{width:112px!important}
.identifier .pair{align-items:start}
.identifier .field{display:flex;flex-direction:column}
.identifier .field>.hint{margin:6px 0 0;order:1}
.identifier>*+*{margin-top:20px}
.identifier>.lock{margin-top:14px}
.place{grid-template-columns:minmax(0,1.4fr) minmax(0,1fr)!important}
.abroad .field{margin-bottom:12px}
.shows{position:relative}
.shows input{padding-right:116px!important}
.show,.show:hover{background:none;border-color:transparent;bottom:0;color:var(--accent);font-size:.9375rem;padding:4px 14px;position:absolute;right:0}
.kept{align-items:center;background:var(--surface);border:1.5px solid var(--line);border-radius:10px;display:flex;gap:12px;justify-content:space-between;padding:8px 8px 8px 14px}
.kept b,.kept .hint{display:block}
.rows>div{align-items:center;column-gap:16px;display:grid;grid-template-columns:minmax(0,1fr) auto}
.rows>div+div{border-top:1px solid var(--line);margin-top:12px;padding-top:12px}
.rows dt{color:var(--muted);font-size:.9375rem;line-height:1.47}
.rows dd{grid-column:1;min-width:0;overflow-wrap:anywhere}
.rows dd>span{display:block}
.rows .act{grid-area:1/2/span 2}
.rows .act a,.away a{display:inline-block;font-weight:600;padding:10px 0}
.small-title{font-size:1.0625rem;line-height:1.53}
.note p+p,.words p+p{margin-top:12px}
.paragraph{display:block}
.paragraph+.paragraph{margin-top:8px}
.away{margin-top:6px}
.sample{background:var(--warn-soft);color:var(--warn);font-size:.8125rem;width:fit-content}
.course{list-style:none;padding:0}
.course li{display:flex;gap:14px;padding-bottom:18px;position:relative}
.course li:last-child{padding-bottom:0}
.course li:not(:last-child)::before{background:var(--line);bottom:0;content:"";left:11px;position:absolute;top:24px;width:2px}
.course .dot{align-items:center;border:2px solid var(--control);border-radius:50%;display:flex;flex:none;height:24px;justify-content:center;width:24px}
.course .dot .i{height:14px;stroke-width:3;width:14px}
.course .done .dot{background:var(--ok);border-color:var(--ok);color:var(--surface)}
.course .now .dot{border:8px solid var(--accent)}
.course b,.course div>span{display:block}
.course div>span{color:var(--muted);font-size:.9375rem;line-height:1.47}
.course .later b{font-weight:600}
.sent{margin-bottom:10px}
.hail .disc{flex:none;margin:0}
@supports selector(:has(*)){.identifier:has(#identifierType option:not([value=driverLicense],[value=stateId]):checked) .issuer{display:none}}
.lock{display:flex;gap:8px;margin-top:14px}
.lock .i{color:var(--ok);margin-top:1px}
.why{margin-top:8px}
.unmet{border:2px solid var(--bad)}
.check{display:flex;gap:12px;min-height:44px}
.check label{font-weight:400}
input[type=checkbox],input[type=radio]{appearance:none;background:var(--surface);border:1.5px solid var(--control);border-radius:6px;cursor:pointer;display:grid;flex:none;height:24px;margin:1px 0 0;place-content:center;width:24px}
input[type=radio]{border-radius:50%}
input:checked{background:var(--accent);border-color:var(--accent)}
input[type=checkbox]:checked::before{border:solid var(--on-accent);border-width:0 3px 3px 0;content:"";height:12px;margin-top:-3px;transform:rotate(45deg);width:7px}
input[type=radio]:checked::before{background:var(--on-accent);border-radius:50%;content:"";height:10px;width:10px}
.choice{background:var(--surface);border:1.5px solid var(--control);border-radius:12px}
.choice+.choice{margin-top:12px}
.choice .check{cursor:pointer;padding:14px 16px}
.choice .check label{cursor:pointer;flex:1;font-weight:700}
.choice .check label span{color:var(--muted);display:block;font-size:.9375rem;font-weight:400;line-height:1.47}
.choice .check>.i{color:var(--accent);margin-top:2px}
.choice:has(:checked){background:var(--accent-soft);border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.choice:has(:checked) :is(.hint,label span){color:inherit}
.set{padding:0 16px 18px}
.set .hint{margin-bottom:12px}
@supports selector(:has(*)){.choice:not(:has(input[type=radio]:checked))>.set{display:none}}
.even{grid-template-columns:repeat(auto-fit,minmax(min(130px,100%),1fr))}
@media (min-width:480px){.pair{grid-template-columns:1fr 1fr}}
@media (forced-colors:active){input[type=checkbox],input[type=radio]{appearance:auto}input:checked::before{display:none}.choice:has(:checked){border:3px solid Highlight}}
`
