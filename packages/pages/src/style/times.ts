import { PICKS } from './clinics.ts'

/** Days, slots, the change of a booking, and asking for help. */
export const TIMES = `
${PICKS}
.pick input[type=radio]{border:0;height:100%;inset:0;margin:0;opacity:0;position:absolute;width:100%}
.pick input+.i{display:none}
.pick input:checked+.i{display:block}
.pick:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
.fill>.choice+.or{margin-top:20px}
.fill>.or+*{margin-top:20px}
.or{align-items:center;color:var(--muted);display:flex;font-size:.9375rem;gap:12px}
.or::before,.or::after{border-top:1px solid var(--line);content:"";flex:1}
.fill>h2+.days,.fill>h2+.choice{margin-top:12px}
.days ul{display:grid;gap:8px;grid-template-columns:repeat(auto-fill,minmax(60px,1fr));list-style:none;padding:0}
@media (max-width:480px){.days ul{gap:6px;grid-template-columns:repeat(auto-fill,minmax(54px,1fr))}}
.days .hint{align-items:center;display:flex;flex-wrap:wrap;gap:0 8px;margin-top:8px}
.pager{display:flex;gap:16px}
.day{background:var(--surface);border:1.5px solid var(--control);border-radius:12px;color:inherit;display:block;font-size:.8125rem;line-height:1.38;min-height:76px;padding:8px 2px;text-align:center;text-decoration:none}
.day b{display:block;font-size:1.25rem;line-height:1.25}
.day>span{display:block}
.day:hover{background:var(--accent-soft);border-color:var(--accent);color:inherit}
.day[aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.over,.over:hover,.day.taken:not([aria-current]){background:var(--sunken);border:1.5px dashed var(--line);color:var(--muted)}
@media (prefers-color-scheme:dark){.over,.over:hover,.day.taken:not([aria-current]){background:var(--bg)}}
.over b,.taken b{text-decoration:line-through}
.slots>*+*{margin-top:20px}
.slots legend{font-size:.9375rem;line-height:1.47;margin-bottom:8px}
.slots>.hint{margin-top:12px}
.times{display:grid;font-variant-numeric:tabular-nums;gap:8px;grid-template-columns:repeat(auto-fill,minmax(106px,1fr))}
.slot{cursor:pointer;display:block;position:relative}
.slot input[type=radio]{border:0;border-radius:10px;height:100%;inset:0;margin:0;opacity:0;position:absolute;width:100%}
.slot>span,.mine{align-items:center;background:var(--surface);border:1.5px solid var(--control);border-radius:10px;display:flex;font-weight:600;gap:6px;height:100%;justify-content:center;line-height:1.25;min-height:46px;padding:4px;text-align:center}
.slot .i{display:none;height:1rem;stroke-width:2.5;width:1rem}
.slot>span{gap:4px;padding:4px 3px}
:lang(es) .slot>span{font-size:.9375rem}
.slot:hover>span{border-color:var(--accent)}
.slot input:checked+span{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.slot input:checked+span .i{display:block}
.slot input:focus-visible+span{outline:3px solid var(--accent);outline-offset:2px}
.slot input:disabled{cursor:default}
.slot input:disabled+span{background:var(--sunken);border-color:var(--line);color:var(--muted);font-weight:400}
.mine{background:var(--accent-soft);border:1.5px dashed var(--accent);color:var(--accent);cursor:default;flex-direction:column;gap:0}
.mine small{font-size:.8125rem}
.fill>button+.stays{margin-top:12px}
@media (max-width:559.98px){.stays{text-align:center}}
.another{margin-top:8px!important}
.summary p{margin:4px 0}
.summary p+a{color:var(--accent)}
.swap{overflow:hidden;padding:0}
.swap>div{padding:16px 18px}
.swap>div+div{background:var(--accent-soft);border-top:1px solid var(--line)}
.swap>div+div .hint{color:inherit}
.swap del{color:var(--muted);text-decoration-color:var(--bad)}
.swap ins{text-decoration:none}
.swap del .when,.swap ins .soft{font-weight:400}
.swap ins .soft{color:inherit}
.swap ins .when{font-size:1.25rem;font-weight:700;line-height:1.3}
textarea{background:var(--surface);border:1.5px solid var(--control);border-radius:10px;color:inherit;display:block;font:inherit;padding:10px 14px;resize:vertical;width:100%}
h2.label{font-size:1.0625rem;margin-bottom:2px}
.path{list-style:none;padding:0}
.path li{min-height:44px;padding:0 0 14px 40px;position:relative}
.path li::before{box-sizing:border-box;background:var(--surface);border:2px solid var(--control);border-radius:50%;content:"";height:24px;left:0;position:absolute;top:1px;width:24px;z-index:1}
.path li:not(:last-child)::after{background:var(--line);bottom:-2px;content:"";left:11px;position:absolute;top:24px;width:2px}
.path .past::before{background:var(--ok);border-color:var(--ok)}
.path .past .i{color:var(--surface);height:16px;left:4px;position:absolute;stroke-width:3;top:5px;width:16px;z-index:2}
.path [aria-current]::before{border:7px solid var(--accent)}
.path b{display:block}
.path li:last-child b{font-weight:400}
.path span{color:var(--muted);display:block;font-size:.9375rem;line-height:1.47}
.nowrap{white-space:nowrap}
@media (min-width:900px){.two>.side{align-self:start;position:sticky;top:20px}.swap>div{padding:18px 24px}}
@media (forced-colors:active){.slot input[type=radio]{appearance:none;opacity:0}.slot input:checked+span,.day[aria-current]{border:3px solid Highlight}.slot input:disabled+span{color:GrayText}}
`
