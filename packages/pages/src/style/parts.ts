/** Buttons, cards, banners, chips, disclosures and lists of facts. */
export const PARTS = `
button,.button{align-items:center;background:var(--accent);border:1.5px solid var(--accent);border-radius:10px;color:var(--on-accent);cursor:pointer;display:inline-flex;font:inherit;font-weight:700;gap:8px;justify-content:center;line-height:1.3;min-height:50px;padding:8px 24px;text-align:center;text-decoration:none}
button:hover,.button:hover{background:var(--accent-hover);border-color:var(--accent-hover);color:var(--on-accent)}
.plain{background:var(--surface);color:var(--accent)}
.plain:hover{background:var(--accent-soft);border-color:var(--accent-hover);color:var(--accent-hover)}
.link,.link:hover{background:none;border-color:transparent;color:var(--accent);font-weight:600;min-height:44px;padding:4px 8px;text-decoration:underline;text-underline-offset:.2em}
.stack>p>.link{margin-left:-8px}
.quiet,.quiet:hover{text-decoration:none}
.back{align-items:center;display:flex;width:fit-content;font-weight:600;gap:8px;margin-left:-8px;min-height:44px;padding:4px 8px;text-decoration:none}
.danger,.danger:hover{background:var(--bad);border-color:var(--bad);color:var(--on-bad)}
a.bad,a.bad:hover{color:var(--bad)}
.actions{display:grid;gap:12px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:16px;box-shadow:0 1px 2px #1b23260f,0 2px 6px #1b23260a;padding:18px}
.card>h2:not(.hint){margin-bottom:14px}
.now{border-left:6px solid var(--accent)}
.now .when{font-size:1.125rem;font-weight:700}
.now small{color:var(--muted);display:block;font-size:.9375rem;font-weight:400}
.note{border:1px solid;border-radius:12px;display:flex;gap:12px;padding:14px 16px}
.note .i{margin-top:2px}
.note>div{min-width:0}
.info{background:var(--info-soft);border-color:color-mix(in srgb,var(--info) 25%,transparent)}
.good{background:var(--ok-soft);border-color:color-mix(in srgb,var(--ok) 25%,transparent)}
.warn{background:var(--warn-soft);border-color:color-mix(in srgb,var(--warn) 25%,transparent)}
.alarm{background:var(--bad-soft);border-color:color-mix(in srgb,var(--bad) 25%,transparent)}
.info>.i{color:var(--info)}.good>.i{color:var(--ok)}.warn>.i{color:var(--warn)}.alarm>.i{color:var(--bad)}
.chips{display:flex;flex-wrap:wrap;gap:6px;list-style:none;padding:0}
.chip{background:var(--sunken);border-radius:999px;font-size:.8125rem;font-weight:600;line-height:1.38;padding:3px 10px}
.chip.near{background:var(--accent-soft);color:var(--accent)}
.facts{list-style:none}
.facts:not(.card){padding:0}
.facts>li{display:flex;gap:12px}
.facts>li+li{margin-top:10px}
.ruled>li+li{border-top:1px solid var(--line);margin-top:10px;padding-top:10px}
.facts .i{color:var(--accent);margin-top:3px}
.facts li>div{min-width:0}
.facts b{display:block;font-weight:600}
.facts div>span{color:var(--muted);display:block;font-size:.9375rem;line-height:1.47}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
.why>summary,.hours>summary{align-items:center;color:var(--accent);display:flex;font-size:.9375rem;font-weight:600;gap:10px;min-height:44px;width:fit-content}
.why>summary::before,.hours>summary::after{border:solid;border-width:2px 2px 0 0;content:"";flex:none;height:8px;margin:0 4px;transform:rotate(45deg);width:8px}
.why[open]>summary::before{margin-top:-4px;transform:rotate(135deg)}
.why>:not(summary){border-left:3px solid var(--line);font-size:.9375rem;line-height:1.47;padding:2px 0 2px 14px}
.whose{background:var(--accent-soft);border-radius:12px}
.whose>summary{align-items:center;border-radius:12px;display:flex;gap:16px;justify-content:space-between;padding:12px 16px}
.whose .hint{color:inherit}
.whose b{display:block;line-height:1.33}
.whose summary>:last-child{color:var(--accent);flex:none;font-size:.9375rem;font-weight:600;text-decoration:underline;text-underline-offset:.2em}
.whose>p{font-size:.9375rem;line-height:1.47;padding:0 16px 14px}
.hail{align-items:center;display:flex;gap:16px}
.tick{align-items:center;background:var(--ok);border-radius:50%;color:var(--surface);display:flex;flex:none;height:44px;justify-content:center;width:44px}
.tick .i{height:26px;stroke-width:3;width:26px}
.disc{align-items:center;border-radius:50%;display:flex;height:52px;justify-content:center;margin-bottom:16px;width:52px}
.disc .i{height:28px;width:28px}
.disc.own{background:var(--accent-soft);color:var(--accent)}
.disc.calm{background:var(--info-soft);color:var(--info)}
.disc.late{background:var(--warn-soft);color:var(--warn)}
.disc.done{background:var(--ok-soft);color:var(--ok)}
.clinic{display:grid;gap:10px;grid-template-columns:minmax(0,1fr)}
.at{color:var(--muted);font-size:.9375rem;line-height:1.47}
.at b{color:var(--text);display:block}
.row2{align-items:center;display:flex;flex-wrap:wrap;gap:4px 16px}
.go{align-items:center;display:inline-flex;font-size:.9375rem;font-weight:600;gap:8px;min-height:44px;text-decoration:none}
.hours>summary{gap:8px}
.hours>summary::after{margin-top:-5px;transform:rotate(135deg)}
.hours[open]{flex-basis:100%}
.hours[open]>summary::after{margin-top:4px;transform:rotate(-45deg)}
.where{display:flex;gap:12px}
.where>.i{color:var(--accent);margin-top:2px}
.where>div{min-width:0}
.where .row2{margin-bottom:-12px}
.where h2{font-size:1.0625rem;line-height:1.4}
.column{max-width:600px}
.week{border-spacing:0;font-size:.9375rem;font-variant-numeric:tabular-nums;line-height:1.47}
.week th{font-weight:400;padding:2px 24px 2px 0;text-align:left;vertical-align:top}
.week td{padding:2px 0}
.unfolded{container-type:inline-size;font-size:.9375rem;line-height:1.47}
@container (max-width:15rem){.week th,.week td{display:block;padding-right:0}}
@media (min-width:560px){.actions{display:flex;flex-wrap:wrap}.actions>form{display:contents}}
@media (max-width:559.98px){.fill>button{width:100%}.actions form>button{width:100%}}
@media (min-width:900px){.card{padding:24px}.tick{height:56px;width:56px}.tick .i{height:32px;width:32px}.fill>button{min-width:200px}}
@media print{.card{border:1px solid #999;box-shadow:none;break-inside:avoid}details:not([open])>summary{display:none}details::details-content{content-visibility:visible}}
`
