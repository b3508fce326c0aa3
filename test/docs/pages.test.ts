/**
 * The pages for readers: every code block is run, or held against the command line's grammar; every link leads somewhere.
 * A block ```sh is run as it stands beside a server with the sample data; ```sh check is only parsed, because it would not
 * end or needs something that a test cannot have; ```sh skip may name other programs, and its own commands are parsed too.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import t from 'tap'
import { program } from '../../src/cli/program.js'
import type { CliContext } from '../../src/cli/cli-context.js'
import { PAGE_PATHS } from '../../src/web/page-paths.js'
import { commandLine } from '../helpers/command-line.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs'), { recursive: true })
  .map((file) => join('docs', String(file))).filter((file) => file.endsWith('.md'))]

interface Block { page: string, line: number, language: string, mode: string, text: string }

const blocksOf = (page: string): Block[] => {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```(\w+)(?: (\w+))?\n([^]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    mode: match[2] ?? 'run',
    text: match[3] ?? ''
  }))
}
const blocks = pages.flatMap(blocksOf)
const shell = blocks.filter(({ language }) => language === 'sh')

/** The command lines of a shell block, without comments and continuation marks. */
const commandLines = (text: string): string[] =>
  text.replaceAll('\\\n', ' ').split('\n').map((line) => line.replace(/(^|\s)#\s.*$/, '').trim()).filter(Boolean)

/** Words of a line as a shell splits them; enough for the quotes that the pages use. */
const words = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))

/** What follows the program's name in a line, or undefined where the line does not call it. */
const argumentsOf = (line: string): string[] | undefined => {
  const all = words(line.split(' | ').at(-1) ?? '')
  const program = all.findLastIndex((word) => word === 'exploration-mcp' || word === 'dist/cli.js')
  // `npm install … exploration-mcp` names the package, not the program.
  if (program === -1 || all[0] === 'npm') return undefined
  const given = all.slice(program + 1)
  return given.includes('>') ? given.slice(0, given.indexOf('>')) : given
}

const grammar = program({ stdout: new PassThrough(), stderr: new PassThrough() } as unknown as CliContext)
const quiet = (command: Command): void => {
  if (command.commands.length === 0) command.action(() => {})
  command.commands.forEach(quiet)
}
// It parses as the program does, and starts nothing.
quiet(grammar)

const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)

t.test('each command on the pages exists, with these options', async (t) => {
  for (const { page, line, text } of shell) {
    for (const command of commandLines(text)) {
      const given = argumentsOf(command)
      if (given) await t.resolves(grammar.parseAsync(given, { from: 'user' }), `${page}:${line} ${command}`)
      const [, script] = /^npm (?:run )?([\w:]+)/.exec(command) ?? []
      if (script !== undefined) t.ok([...scripts, 'ci', 'install'].includes(script), `${page}:${line} ${command}`)
    }
  }
  t.ok(shell.length > 20)
})

t.test('each command that a text names exists, with these options', async (t) => {
  const grammar = program({} as CliContext)
  let named = 0
  for (const page of [...pages, 'SECURITY.md', 'CHANGELOG.md']) {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
    for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g)) {
      const given = words(code.replace(/^(npx )?exploration-mcp /, ''))
      const family = grammar.commands.find((command) => command.name() === given[0])
      if (family === undefined || code.endsWith(' --help')) continue
      const command = family.commands.length > 0 && given[1] !== undefined
        ? family.commands.find((command) => command.name() === given[1]?.split('|')[0])
        : family
      named++
      t.ok(command, `${page}: ${code}`)
      const options = [command, family].flatMap((one) => one?.options.map(({ long }) => long) ?? [])
      for (const [option] of code.matchAll(/(?<![\w-])--[a-z-]+/g)) t.ok(options.includes(option), `${page}: ${code}`)
    }
  }
  t.ok(named > 100)
})

t.test('the page about proxies has the address of each page, and SECURITY.md the images that are in use', async (t) => {
  const proxies = readFileSync(join(root, 'docs/how-to/behind-a-proxy.md'), 'utf8')
  for (const { path } of PAGE_PATHS) t.ok(proxies.includes(`\`/${path.split('/')[1]}`), path)
  const deployed = ['Dockerfile', 'compose.yaml'].map((file) => readFileSync(join(root, file), 'utf8')).join('')
  const security = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  for (const [, image = ''] of security.matchAll(/inspect (\S+) --format/g)) t.ok(deployed.includes(`${image}\n`) || deployed.includes(`${image} AS`), image)
})

t.test('blocks are of a known kind; JSON is JSON', async (t) => {
  for (const { page, line, language, mode, text } of blocks) {
    t.ok(['sh', 'json', 'text', 'mermaid', 'yaml', 'ts', 'js'].includes(language), `${page}:${line} ${language}`)
    t.ok(['run', 'check', 'skip'].includes(mode), `${page}:${line} ${mode}`)
    if (language === 'json') t.doesNotThrow(() => JSON.parse(text), `${page}:${line}`)
  }
})

t.test('links lead somewhere', async (t) => {
  const slug = (heading: string): string =>
    heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim().replaceAll(' ', '-')
  const anchors = new Map(pages.map((page) => {
    const headings = readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)
    return [join(root, page), new Set([...headings].map(([, heading = '']) => slug(heading)))]
  }))
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? join(root, page) : join(root, dirname(page), path)
      if (!existsSync(file) || (anchor !== undefined && anchors.get(file)?.has(anchor) === false)) t.fail(`${page}: ${target}`)
    }
  }
})

t.test('the README has at most 200 lines, and every page of docs/ is in the index', async (t) => {
  t.ok(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length <= 201)
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
  for (const page of pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')) {
    t.ok(index.includes(`(${relative('docs', page)})`), page)
  }
})

t.test('every block of commands runs as it stands', async (t) => {
  const folder = t.testdir({ data: {}, home: { '.cursor': {} }, 'planning.ndjson': readFileSync(join(root, 'src/planning/sample.ndjson'), 'utf8') })
  const cli = commandLine(t, { data: join(folder, 'data') })
  const { hello } = await cli.serve('serve --port 0 --observe')
  const [address = ''] = /127\.0\.0\.1:\d+/.exec(hello) ?? []
  const [KEY = ''] = /svc_key_[A-Z2-7]+/.exec(hello) ?? []
  const sh = async (line: string) =>
    (await promisify(execFile)('sh', ['-euc', line], { cwd: folder, env: { ...process.env, KEY }, encoding: 'buffer' })).stdout
  for (const { page, line, mode, text } of shell) {
    if (mode !== 'run') continue
    for (const command of commandLines(text.replaceAll('127.0.0.1:8080', address))) {
      const given = argumentsOf(command)?.map((word) => /\.ndjson(?:\.gz)?$/.test(word) ? join(folder, word) : word)
      if (!given) {
        if (!command.startsWith('npm ')) t.ok((await sh(command)).length > 0, `${page}:${line} ${command}`)
        continue
      }
      const [, before] = /^(.*) \| npx /.exec(command) ?? []
      const { code, out, err } = await cli.run(given, before === undefined ? undefined : Readable.from([await sh(before)]))
      t.equal(code, 0, `${page}:${line} ${command}: ${err}`)
      const [, file] = / > (\S+)$/.exec(command) ?? []
      if (file !== undefined) writeFileSync(join(folder, file), out)
    }
  }
})
