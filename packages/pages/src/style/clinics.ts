/** Small choices in a row: filters, and distances. */
export const PICKS = `
.filters ul,.picks{display:flex;flex-wrap:wrap;gap:8px;list-style:none;padding:0}
.pick{align-items:center;background:var(--surface);border:1.5px solid var(--control);border-radius:999px;color:inherit;cursor:pointer;display:flex;font-size:.9375rem;font-weight:600;gap:6px;min-height:40px;padding:5px 13px;position:relative;text-decoration:none}
.pick:hover{background:var(--accent-soft);border-color:var(--accent);color:inherit}
.pick[aria-current],.pick:has(:checked){background:var(--accent-soft);border-color:var(--accent);color:var(--accent)}
.pick .i{height:1.125rem;width:1.125rem}
@media (forced-colors:active){.pick[aria-current],.pick:has(:checked){border:3px solid Highlight}}
`

/** The list of clinics and their map. */
export const CLINICS = `
${PICKS}
.search{max-width:500px}
.search .row{display:flex;gap:8px}
.search .box{flex:1;min-width:0;position:relative}
.search .box .i{left:14px;pointer-events:none;position:absolute;top:15px}
.search .box input{padding-left:44px!important}
.search .plain{padding:8px 18px}
.search label .hint{display:block}
.search input::placeholder{color:var(--muted);opacity:1}
.meant{font-size:.9375rem;line-height:1.47;margin-top:8px}
.meant a{display:inline-block;margin-right:8px;padding:4px 0}
.chip.open{background:var(--ok-soft);color:var(--ok)}
.chip.open::before{background:currentColor;border-radius:50%;content:"";display:inline-block;height:7px;margin-right:6px;vertical-align:1px;width:7px}
.chip.opens{align-items:center;background:var(--warn-soft);color:var(--warn);display:flex;gap:5px}
.chip .i{height:.875rem;width:.875rem}
.off,.clinics .off{background:var(--sunken);border:1.5px dashed var(--control);box-shadow:none}
@media (prefers-color-scheme:dark){.off,.clinics .off{background:var(--bg)}}
.off .chip{background:var(--surface)}
.off h2{color:var(--muted)}
.off .number{background:none;box-shadow:inset 0 0 0 1.5px var(--control);color:var(--muted)}
.reason{display:flex;font-size:.9375rem;gap:8px;line-height:1.47}
.reason .i{color:var(--warn);margin-top:1px}
.helpline{align-items:center;display:flex;flex-wrap:wrap;gap:0 8px}
.helpline .link{font-size:1.0625rem;margin-left:-8px;padding:4px 8px}
.helpcard{border:2px solid var(--accent);display:grid;gap:4px 14px;grid-template-columns:auto minmax(0,1fr)}
.helpcard>.i{color:var(--accent);height:1.5rem;margin-top:2px;width:1.5rem}
.helpcard .button{grid-column:1/-1;margin-top:12px}
.found{position:relative}
.found h2{min-height:44px;padding:10px 120px 0 0}
.mapbox>summary{align-items:center;color:var(--accent);display:flex;font-size:.9375rem;font-weight:600;gap:8px;min-height:44px;position:absolute;right:0;top:0}
.mapbox>summary span+span,.mapbox[open]>summary span{display:none}
.mapbox[open]>summary span+span{display:block}
.clinics{list-style:none;padding:0}
.clinics>li+li{margin-top:12px}
.clinics .clinic{scroll-margin:12px}
.clinics .first{border:2px solid var(--accent);padding:17px}
.clinics>:target{outline:3px solid var(--accent);outline-offset:2px}
.head{min-height:28px;padding-left:40px;position:relative}
.head h2{font-size:1.125rem;line-height:1.33}
.away b{display:inline}
.number{background:var(--accent);border-radius:14px;color:var(--on-accent);font-size:.875rem;left:0;line-height:28px;min-width:28px;padding:0 4px;position:absolute;text-align:center;top:-2px}
.clinics .row2{gap:4px 12px}
.row2 button{flex:0 1 98px;min-height:46px;padding:8px 12px}
.map{position:relative}
.map svg{background:var(--water);border:1px solid var(--line);border-radius:16px;display:block;width:100%}
.map figcaption{color:var(--muted);font-size:.8125rem;line-height:1.38;margin-top:8px}
.map path,.ring{fill:none;stroke:var(--control);stroke-linecap:round;stroke-linejoin:round;stroke-width:1.5}
.map .land{fill:var(--land)}
.map .county{stroke:var(--line);stroke-width:2}
.ring{stroke:var(--accent);stroke-dasharray:3 7;stroke-width:2}
.map .halo{fill:var(--text);fill-opacity:.18}
.map .here{fill:var(--text);stroke:var(--surface);stroke-width:3}
.map .leader{stroke:var(--text)}
.map text{fill:var(--muted);font-size:24px;font-weight:500;paint-order:stroke;stroke:var(--land);stroke-width:5;text-anchor:middle}
.map .pill{fill:var(--surface)}
.map .far{fill:var(--accent);font-size:22px;font-weight:600;stroke:none}
.map .you{fill:var(--text);font-weight:700}
.dot,.spot{fill:var(--muted)}
.pin{fill:var(--accent);stroke:var(--surface);stroke-width:3}
.map a text{fill:var(--on-accent);font-size:26px;font-weight:700;stroke:none}
.map a:focus-visible{outline:none}
.map a:focus-visible .pin{stroke:var(--text);stroke-width:8}
.map a:hover .pin{fill:var(--accent-hover)}
.found .map{margin-top:8px}
@media (min-width:900px){
.list{display:grid;gap:16px 24px;grid-template:"find pick" auto "warn map" auto "head map" auto "list map" auto "help map" 1fr/minmax(0,500px) minmax(0,1fr)}
.list>*+*{margin-top:0}
.search{grid-area:find}.filters{align-self:start;grid-area:pick;padding-top:35px}.toolate{grid-area:warn}.found{display:contents}.found>div{grid-area:head}.found h2{display:none}
.list>.clinicform{grid-area:list}.helpline{grid-area:help;align-self:start}.list>.note{grid-area:head}
.mapbox{align-self:start;grid-area:map;position:sticky;top:20px}
.clinics .clinic{padding:18px 20px}
.clinics .first{padding:17px 19px}
.head h2,.head address{padding-right:144px}
.away{position:absolute;right:0;text-align:right;top:0}
.away b{display:block;font-size:1.125rem;line-height:1.33}
.row2 button{flex-basis:210px}
@supports selector(::details-content){.mapbox::details-content{content-visibility:visible;display:block}.mapbox>summary{display:none}.mapbox .map{margin:0}}
}
`
