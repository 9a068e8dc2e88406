/** The mailbox of a sandbox: a list beside a message, or one of them on narrow screens. */
export const MAILBOX = `
.filter{align-items:end;display:flex;flex-wrap:wrap;gap:12px;margin:16px 0 20px}
.filter label{display:block;flex:1 1 160px;font-size:.9375rem;font-weight:600;max-width:280px}
.filter input{background:var(--surface);border:1.5px solid var(--control);border-radius:10px;color:var(--text);display:block;font:inherit;font-weight:400;margin-top:4px;min-height:50px;padding:8px 14px;width:100%}
.panes{display:block}
.mails{list-style:none;margin-top:8px;padding:0}
.mails a{border:1px solid var(--line);border-radius:12px;background:var(--surface);color:inherit;display:flex;gap:12px;margin-bottom:8px;padding:12px 14px;text-decoration:none}
.mails a:hover{border-color:var(--accent)}
.mails [aria-current]{background:var(--accent-soft);border-color:var(--accent);box-shadow:inset 4px 0 0 var(--accent)}
.mails [aria-current] small{color:var(--text)}
.mails .i{color:var(--accent);margin-top:2px}
.mails a>span{flex:1;min-width:0}
.mails b{display:block;line-height:1.33;overflow-wrap:anywhere}
.mails small{color:var(--muted);display:block;font-size:.8125rem;line-height:1.38;overflow-wrap:anywhere}
.head{border-bottom:1px solid var(--line);padding-bottom:14px}
.head h2{overflow-wrap:anywhere}
.head dl{display:grid;font-size:.9375rem;gap:2px 12px;grid-template-columns:max-content minmax(0,1fr);margin-top:8px}
.head dt{color:var(--muted)}
.head dd{overflow-wrap:anywhere}
.files{display:flex;flex-wrap:wrap;gap:8px;list-style:none;margin-top:12px;padding:0}
.files a{align-items:center;border:1px solid var(--line);border-radius:10px;color:inherit;display:flex;font-size:.9375rem;gap:8px;min-height:44px;padding:4px 12px;text-decoration:none}
.tabs{display:flex;gap:8px;list-style:none;margin:14px 0;padding:0}
.tabs a{align-items:center;border:1.5px solid var(--line);border-radius:999px;display:flex;font-size:.9375rem;font-weight:600;min-height:44px;padding:0 18px;text-decoration:none}
.tabs [aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
iframe{background:var(--bg);border:1px solid var(--line);border-radius:12px;display:block;height:75vh;min-height:560px;width:100%}
.phone{background:var(--sunken);border:1px solid var(--line);border-radius:28px;margin:0 auto;max-width:392px;overflow:hidden}
.phone iframe{border:0;border-radius:0;height:720px}
.phone p:first-child{border-bottom:1px solid var(--line);background:var(--surface);padding:12px;text-align:center}
.phone p:first-child small{color:var(--muted);display:block}
.bubble{background:var(--surface);border:1px solid var(--line);border-radius:20px 20px 20px 6px;margin:20px 48px 28px 16px;overflow-wrap:anywhere;padding:12px 16px}
.plaintext{background:var(--sunken);border-radius:12px;font:400 .9375rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;margin:0;overflow-wrap:anywhere;padding:16px;white-space:pre-wrap}
@media (max-width:899px){.panes.chosen>.pile{display:none}.panes:not(.chosen)>.letter{display:none}}
@media (min-width:900px){
.panes{align-items:start;display:grid;gap:24px;grid-template-columns:minmax(0,360px) minmax(0,1fr)}
.letter{position:sticky;top:16px}
.letter>.back{display:none}
.pile .mails{max-height:calc(100vh - 32px);overflow-y:auto;padding:3px}
}
`
