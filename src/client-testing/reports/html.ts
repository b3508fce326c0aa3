/** The report as one self-contained page: no script, nothing from outside, light and dark. */
import { clauseName, groupsOf, MARKS, STATUS_WORDS, STATUSES, type Check, type Report } from './report.js'
import { totalOf } from './text.js'
import { escapeXml } from './xml.js'
import { STYLE } from './html-style.js'

const MAX_JSON = 20_000

/** Returns the page: the counts, the failures, then every check by group, each exchange to unfold. */
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
