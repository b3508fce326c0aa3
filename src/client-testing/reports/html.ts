/** The report as one self-contained page: no script, nothing from outside, light and dark. */
import { clauseName, groupsOf, MARKS, STATUS_WORDS, STATUSES, type Check, type Report } from './report.js'
import { totalOf } from './text.js'
import { escapeXml } from './xml.js'

const MAX_JSON = 20_000

const STYLE = `
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

export const toHtml = (report: Report): string => {
  const { command, checks, notes } = report
  const failures = checks.filter(({ status }) => status === 'failed')
  const title = `MCP ${command} report`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
${header(report, title)}
<main>
${section('failures', 'Failures', failures.map((check) => checkOf(check, true)), '<p>None.</p>')}
${groupsOf(checks).map(([group, own], index) =>
    section(`group-${index}`, group, own.map((check) => checkOf(check, false)))).join('\n')}
${notes.length === 0 ? '' : section('notes', 'Notes', notes.map((note) => `<p>${escapeXml(note)}</p>`))}
</main>
</body>
</html>
`
}

const header = ({ tool, subject, started_at: startedAt, summary }: Report, title: string): string => {
  const counts = STATUSES.map((status) => count(status, STATUS_WORDS[status], summary[status]))
  const knownCount = summary.known > 0 ? count('known', 'known failures', summary.known) : ''
  const when = escapeXml(startedAt.replace('T', ' ').slice(0, 16))
  return `<header>
<h1>${title}</h1>
<p class="subject"><code>${escapeXml(subject)}</code></p>
<p>${escapeXml(`${tool.name} ${tool.version}`)} · <time datetime="${escapeXml(startedAt)}">${when} UTC</time></p>
<dl class="counts">${counts.join('')}${knownCount}</dl>
<p class="visually-hidden">${totalOf(summary)}</p>
</header>`
}

const count = (name: string, words: string, number: number): string =>
  `<div class="${name}"><dt>${words}</dt><dd>${number}</dd></div>`

const section = (id: string, title: string, parts: readonly string[], none = ''): string =>
  `<section aria-labelledby="${id}"><h2 id="${id}">${escapeXml(title)}</h2>\n` +
  `${parts.length === 0 ? none : parts.join('\n')}\n</section>`

const checkOf = (check: Check, open: boolean): string => {
  const { id, level, status, known, outcome, title, detail, clauses, reproduce } = check
  // A failure stands twice on the page; only the first has its exchanges.
  const exchanges = open || status !== 'failed' ? check.exchanges : []
  return [
    `<details class="${status}"${open ? ' open' : ''}>`,
    `<summary><span class="mark" aria-hidden="true">${MARKS[status]}</span> `,
    `<span class="id">${escapeXml(id)}</span> <span class="level">${level}</span> `,
    `<span class="outcome">${escapeXml(outcome)}${known ? ', known failure' : ''}</span></summary>`,
    `<p>${escapeXml(title)}</p>`,
    ...(detail === '' ? [] : [`<p class="detail">${escapeXml(detail)}</p>`]),
    ...(clauses.length === 0 ? [] : [`<p class="clauses">${clauses.map(linkTo).join('<br>')}</p>`]),
    ...exchanges.map(exchangeOf),
    ...(reproduce === undefined ? [] : ['<p>Reproduce:</p>', block(reproduce, `Command that repeats ${id}`)]),
    '</details>'
  ].join('')
}

const linkTo = (clause: Check['clauses'][number]): string =>
  `<a href="${escapeXml(clause.url)}" rel="noreferrer">${escapeXml(clauseName(clause))}</a>`

const exchangeOf = (exchange: Check['exchanges'][number]): string => {
  const { number, at, duration_ms: duration, method, url, status, injected } = exchange
  const { headers, body, reply_headers: replyHeaders, reply, events = [] } = exchange
  const title = `Exchange ${number}: ${method} ${url} → ${status}${injected === undefined ? '' : ` · ${injected}`}`
  const request = `${lines(headers)}${body === undefined ? '' : `\n\n${json(body)}`}`
  const answer = `${lines(replyHeaders)}${reply === undefined ? '' : `\n\n${json(reply)}`}` +
    events.map((event) => `\n\ndata: ${json(event)}`).join('')
  return [
    `<details class="exchange"><summary>${escapeXml(title)}</summary>`,
    `<p>${escapeXml(at)}, ${duration} ms</p>`,
    `<h3>Request</h3>${block(request, `Request of exchange ${number}`)}`,
    `<h3>Reply</h3>${block(answer, `Reply of exchange ${number}`)}`,
    '</details>'
  ].join('')
}

// A region that scrolls is reached by the keyboard, too.
const block = (text: string, label: string): string =>
  `<pre tabindex="0" role="group" aria-label="${escapeXml(label)}">${escapeXml(text)}</pre>`

const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join('\n')

const json = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 1)
  return text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}… (${text.length - MAX_JSON} more characters)` : text
}
