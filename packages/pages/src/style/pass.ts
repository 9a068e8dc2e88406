/** The pass, the page around it, and both on paper. Codes are black on white in every scheme, because scanners need the contrast. */
export const PASS = `
.pass{background:var(--surface);border:1px solid var(--line);border-radius:20px;box-shadow:0 2px 4px #1b23260f,0 8px 20px #1b232614;overflow:hidden}
.pass>header{align-items:center;background:var(--accent);color:var(--on-accent);display:flex;gap:12px;min-height:70px;padding:12px 20px}
.pass>header .tile{background:color-mix(in srgb,var(--on-accent) 18%,transparent);height:36px;width:36px}
.pass>header b{display:block;line-height:1.3}
.pass>header span+span,.pass>header small{display:block;font-size:.875rem}
.codes{background:#fff;color:#111;padding:20px}
.duo{align-items:center;display:grid;gap:16px;grid-template-columns:min(40%,132px) minmax(0,1fr)}
.codes svg{display:block;width:100%}
.codes .hint{color:#4a5356;font-size:.875rem}
.code{font-size:clamp(1rem,6.2vw,1.5625rem);font-variant-numeric:tabular-nums;font-weight:700;letter-spacing:.05em;line-height:1.2;margin:2px 0 6px;white-space:nowrap}
.codes .qr{margin:-10px 0 -10px -10px;width:calc(100% + 10px)}
.codes .barcode{height:60px;margin:16px -20px 0;width:calc(100% + 40px)}
.pass dl{border-top:2px dashed var(--line);display:grid;gap:14px 16px;grid-template-columns:repeat(2,minmax(0,1fr));margin:0 20px;padding:18px 0 20px;position:relative}
.pass dl::before,.pass dl::after{background:var(--bg);border:1px solid var(--line);border-radius:50%;content:"";height:22px;position:absolute;top:-12px;width:22px}
.pass dl::before{left:-32px}.pass dl::after{right:-32px}
.pass dl>div{grid-column:1/-1}
.pass dl>.half{grid-column:auto}
.pass dt{color:var(--muted);font-size:.9375rem;line-height:1.47}
.pass dd{font-weight:600}
.pass address,.pass small,.pass .hours{font-weight:400}
.pass dd ul{list-style:none;padding:0}
.pass .when{font-size:1.25rem;font-weight:700;line-height:1.3}
.pass .when small{display:block;font-size:.9375rem;color:var(--muted)}
.pass .call,.pass address{display:inline}
.plainpass dl{border:0}.plainpass dl::before,.plainpass dl::after{display:none}
.tools{display:grid;gap:8px;grid-template-columns:repeat(auto-fit,minmax(88px,1fr))}
.tools a{background:var(--surface);border:1px solid var(--line);border-radius:16px;color:var(--accent);flex-direction:column;font-size:.9375rem;font-weight:600;gap:6px;min-height:70px;padding:8px 6px}
.tools a:hover{background:var(--accent-soft);color:var(--accent-hover)}
.wallets{display:grid;gap:12px}
.wallets a,.wallets a:hover{background:#111;border-color:#111;color:#fff}
@media (prefers-color-scheme:dark){.wallets a,.wallets a:hover{border-color:var(--control)}}
.visit{display:grid;gap:20px}
.plans h2{font-size:1.0625rem}
.plans p{align-items:center;display:flex;flex-wrap:wrap;gap:0 16px}
.plans .link{font-weight:700;margin-left:-8px;padding:4px 8px}
legend.label{font-size:1.0625rem;font-weight:600;line-height:1.5;margin-bottom:6px}
.boxes{display:flex;gap:12px}
.boxes>.field{margin:0;width:80px}.boxes>.field:last-child{width:112px}
.boxes label{font-weight:400}
.requests{display:grid;gap:16px;list-style:none;padding:0}
.requests>.card{display:grid;gap:12px}
.requests h2{font-size:1.125rem;line-height:1.33;margin:0!important}
.state-of{align-items:flex-start;display:flex;font-size:.9375rem;font-weight:600;gap:8px;line-height:1.47}
.state-of.open{color:var(--warn)}.state-of.set{color:var(--ok)}
.requests .button{justify-self:start}
.sent{font-size:1rem}
.state{padding:20px}
.state h1{font-size:1.375rem;line-height:1.3;margin-bottom:4px}
.state .i{height:28px;margin-top:0;width:28px}
.stages{list-style:none;padding:0}
.stages li{align-items:baseline;display:flex;flex-wrap:wrap;gap:2px 16px;justify-content:space-between}
.stages li+li{border-top:1px solid var(--line);margin-top:10px;padding-top:10px}
.stages b{font-weight:600}
.stages span{color:var(--muted);font-size:.9375rem}
.line{list-style:none;padding:0}
.line li{display:flex;gap:14px;padding-bottom:18px;position:relative}
.line li:last-child{padding-bottom:0}
.line li:not(:last-child)::before{background:var(--line);bottom:0;content:"";left:12px;position:absolute;top:26px;width:2px}
.line li.done:not(:last-child)::before{background:var(--ok)}
.line b{display:block;font-weight:600;line-height:1.6}
.line small{color:var(--muted);display:block;font-size:.9375rem;line-height:1.47}
.line .later b{color:var(--muted);font-weight:400}
.dot{align-items:center;background:var(--surface);border:2px solid var(--control);border-radius:50%;display:flex;flex:none;height:26px;justify-content:center;width:26px}
.dot .i{height:15px;stroke-width:3.5;width:15px}
.done>.dot{background:var(--ok);border-color:var(--ok);color:var(--surface)}
.now>.dot{border:8px solid var(--accent)}
.line .now{border:0}
.again>summary{align-items:center;color:var(--accent);display:flex;font-weight:600;gap:12px;min-height:44px}
.again>summary::before{border:solid;border-width:2px 2px 0 0;content:"";flex:none;height:8px;margin:0 4px;transform:rotate(45deg);width:8px}
.again[open]>summary::before{transform:rotate(135deg)}
.card.again{padding:8px 18px}
.again>.pass{margin:8px 0 12px;max-width:400px}
.at1{font-size:1.25rem;font-weight:700;line-height:1.3;margin-top:20px}
@media (min-width:900px){
.wallets{display:flex;flex-wrap:wrap}
.booked{column-gap:56px;grid-template-columns:minmax(0,1fr) minmax(0,384px)}
.tools{display:flex;flex-wrap:wrap;gap:12px}
.tools a{border:1.5px solid var(--accent);border-radius:10px;flex-direction:row;font-size:1.0625rem;font-weight:700;min-height:50px;padding:8px 22px}
.tools a:first-child{background:var(--accent);color:var(--on-accent)}
.tools a:first-child:hover{background:var(--accent-hover)}
.visit{grid-template-columns:1fr 1fr}
.duo{grid-template-columns:minmax(0,146px) minmax(0,1fr)}
.code{font-size:1.625rem}
}
@media print{
.booked{display:block}
.pass{border-radius:8px;box-shadow:none;break-inside:avoid}
.pass dl>div{grid-column:auto}
.pass dl>:nth-child(2){grid-column:2;grid-row:1/4}
.codes{align-items:center;display:grid;gap:24px;grid-template-columns:1fr 1fr}
.pass>header{background:none;border-bottom:1px solid #999;color:#000}
.pass>header .tile,.pass dl::before,.pass dl::after{display:none}
.pass>header{min-height:0;padding:8px 16px}
.codes{padding:12px 16px}
.codes .barcode{margin:0;width:100%}
.pass dl{gap:6px 16px;margin:0 16px;padding:10px 0}
.visit{gap:12px;grid-template-columns:1fr 1fr;margin-top:12px}
.visit .card{padding:10px 14px}
.unfolded,.week{font-size:10pt;line-height:1.3}
.week th,.week td{padding-bottom:0;padding-top:0}
.visit h2{font-size:12pt;margin-bottom:6px!important}
.visit .facts>li+li{margin-top:6px}
.visit .facts span{font-size:10pt}
.call{color:inherit;margin:0;padding:0;text-decoration:none}
}
`
