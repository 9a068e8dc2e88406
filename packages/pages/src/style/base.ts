/** Type, layout, the band and the footer of every page. */
export const BASE = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{background:var(--bg);color:var(--text);display:flex;flex-direction:column;font:400 1.0625rem/1.53 "Public Sans",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0;min-height:100vh;min-height:100dvh;overflow-wrap:break-word;text-wrap:pretty}
h1,h2,h3,p,ul,ol,dl,dd,figure,fieldset{margin:0}
h1{font-size:1.75rem;letter-spacing:-.012em;line-height:1.21;text-wrap:balance}
h2,legend{font-size:1.25rem;line-height:1.3}
h3{font-size:1.125rem;line-height:1.33}
h1,h2,h3,b,strong,legend{font-weight:700}
h2.hint{font-weight:400}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{color:var(--accent-hover);text-decoration-thickness:2px}
address{font-style:normal}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[tabindex="-1"]:focus{outline:none}
.i{display:block;fill:none;flex:none;height:1.25rem;stroke:currentColor;stroke-linecap:round;stroke-linejoin:round;stroke-width:2;width:1.25rem}
.skip{left:-999rem;position:absolute}
.skip:focus{background:var(--surface);border-radius:10px;left:1rem;padding:12px 16px;top:8px;z-index:2}
.hide{clip-path:inset(50%);height:1px;overflow:hidden;position:absolute;white-space:nowrap;width:1px}
.in{margin:0 auto;max-width:1112px;padding:0 16px;width:100%}
main{flex:1;padding-bottom:32px!important;padding-top:20px!important}
.lead,.soft,.hint{color:var(--muted)}
.lead b,.lead strong{color:var(--text)}
.lead{margin-top:8px}
.hint{font-size:.9375rem;line-height:1.47}
.band{background:var(--surface);border-bottom:1px solid var(--line);border-top:4px solid var(--accent)}
.band .in{align-items:center;display:flex;gap:12px;min-height:72px;padding-bottom:8px;padding-top:8px}
.tile{align-items:center;background:var(--accent);border-radius:10px;color:var(--on-accent);display:flex;flex:none;font-size:1.25rem;font-weight:700;height:40px;justify-content:center;line-height:1;overflow:hidden;width:40px}
.tile img{background:#fff;display:block;height:100%;object-fit:contain;width:100%}
.who{flex:1;line-height:1.3;min-width:0}
.who b{display:block}
.who>span{color:var(--muted);display:block;font-size:.8125rem;line-height:1.38}
.band .link{font-size:.9375rem;margin-right:-8px}
.foot{background:var(--surface);border-top:1px solid var(--line);font-size:.9375rem;line-height:1.47;padding:20px 0 24px}
.ask{display:flex;gap:12px}
.ask .i{color:var(--accent);height:1.375rem;width:1.375rem}
.ask b{display:block;font-size:1.0625rem}
.ask div>span{display:block}
.small{border-top:1px solid var(--line);color:var(--muted);display:flex;flex-wrap:wrap;gap:4px 18px;margin-top:16px;padding-top:12px}
.foot>.in>.small:first-child{border:0;margin:0;padding:0}
.small a{color:inherit}
.call{white-space:nowrap}
.foot a,.call{margin:-11px -4px;padding:11px 4px}
.progress{display:flex;gap:8px;list-style:none;margin:0 0 24px;max-width:600px;padding:0}
.progress li{color:var(--muted);flex:1;font-size:.8125rem;line-height:1.38}
.progress li::before{background:linear-gradient(var(--accent) 0 0) no-repeat 0/0 var(--track);border-radius:3px;content:"";display:block;height:6px;margin-bottom:6px}
.progress .done{color:var(--accent)}
.progress .done::before{background-size:100%}
.progress [aria-current]{color:var(--text);font-weight:700}
.progress [aria-current]::before{background-size:50%}
.progress .p1::before{background-size:17%}.progress .p2::before{background-size:33%}.progress .p4::before{background-size:67%}.progress .p5::before{background-size:83%}.progress .p6::before{background-size:100%}
.progress span{font-weight:400}
.top>.back{margin:-8px 0 8px -8px}
.two>*{min-width:0}
.two>*+*,.stack>*+*{margin-top:20px}
.stack>h1+.lead{margin-top:8px}
.two>.rest:empty{display:none}
.wide{display:none}
@media (min-width:900px){
h1{font-size:2.25rem;line-height:1.17}
main{padding-bottom:48px!important;padding-top:32px!important}
.lead{font-size:1.125rem}
.two{column-gap:64px;display:grid;grid-template:"top side" auto "rest side" 1fr/minmax(0,600px) minmax(0,416px);row-gap:28px}
.two>.top{grid-area:top}.two>.side{grid-area:side}.two>.rest{grid-area:rest}
.two>*+*{margin-top:0}
.wide{display:block}
.narrow{display:none}
.foot>.in{align-items:center;display:flex;gap:32px;justify-content:space-between}
.small{border:0;margin:0;padding:0}
}
@media (prefers-reduced-motion:no-preference){summary::before,summary::after{transition:transform .12s}}
@media (forced-colors:active){
.progress li::before,.tile,.tick{border:2px solid CanvasText}
.progress .done::before,.progress [aria-current]::before{border-color:Highlight}
.button,button{border:2px solid ButtonText}
}
@media print{
:root{color-scheme:light;--bg:#fff;--surface:#fff;--text:#000;--muted:#333;--line:#999;--accent:#000}
.screen,.skip{display:none!important}
@page{margin:.5in}
body{display:block;font-size:11pt;line-height:1.35;min-height:0}
main{padding:0!important}
}
`
