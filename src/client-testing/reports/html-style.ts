/** The style of the report's page. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1f2328; --soft: #59636e; --ground: #fff; --panel: #f6f8fa; --line: #d1d9e0;
  --link: #0550ae; --good: #1a7f37; --bad: #b42318;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #f0f6fc; --soft: #9ea7b3; --ground: #0d1117; --panel: #151b23; --line: #3d444d;
    --link: #79b8ff; --good: #56d364; --bad: #ff9492;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1rem; overflow-wrap: anywhere;
  background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.6rem; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: .5rem 0; }
a { color: var(--link); }
code, pre { font: .85rem/1.45 ui-monospace, monospace; }
.subject code { background: var(--panel); padding: .2rem .4rem; border-radius: 4px; }
.counts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; }
.counts div { border: 1px solid var(--line); border-radius: 6px; padding: .5rem 1rem; min-width: 6.5rem; }
.counts dt { color: var(--soft); font-size: .85rem; }
.counts dd { margin: 0; font-size: 1.5rem; font-weight: 600; }
.counts .passed dd, .passed .mark { color: var(--good); }
.counts .failed dd, .failed .mark, .failed > summary .outcome { color: var(--bad); }
details { border: 1px solid var(--line); border-radius: 6px; padding: .4rem .75rem; margin: .4rem 0; }
summary { cursor: pointer; min-height: 1.75rem; }
summary:focus-visible, a:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.mark { font-weight: 700; }
.id { font-weight: 600; }
.level, .outcome { color: var(--soft); font-size: .9rem; margin-left: .5rem; }
.detail { white-space: pre-wrap; background: var(--panel); padding: .5rem; border-radius: 4px; }
.exchange { background: var(--panel); }
pre {
  overflow-x: auto; max-height: 24rem; white-space: pre-wrap; padding: .5rem; margin: .25rem 0;
  background: var(--ground); border: 1px solid var(--line); border-radius: 4px;
}
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media print { details { break-inside: avoid; } }
`
