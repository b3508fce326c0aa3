/** The entry for registries and the plugin folder: valid by what their hosts publish, and about this product. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import schema from '#schemas/config.json' with { type: 'json' }
import { variable } from '../../src/config/config.js'
import { ROOT } from '../helpers/root.js'
import { read } from './files.js'
import { faultsOf } from './server-json-schema.js'

const json = <Value>(path: string): Value => JSON.parse(read(path)) as Value
const { name, version, mcpName } = json<{ name: string, version: string, mcpName: string }>('package.json')

interface Variable { isSecret?: boolean, isRequired?: boolean, value?: string, variables?: Record<string, Variable> }
interface Entry {
  name: string
  version: string
  packages: Array<{ identifier: string, version: string, environmentVariables: Array<{ name: string }>, transport: { url: string } }>
  remotes: Array<{ url: string, variables?: Record<string, Variable>, headers?: Array<Variable & { name: string }> }>
}

t.test('server.json', async (t) => {
  const entry = json<Entry>('scripts/registry/server.json')
  t.strictSame(faultsOf(entry), [])
  t.match(entry, { name: mcpName, version, packages: [{ identifier: name, version }] })
  t.strictSame(entry.remotes.map(({ url }) => url), ['https://{host}/oauth/mcp', 'https://{host}/mcp'])
  const blanksOf = (text = ''): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  for (const { environmentVariables, transport } of entry.packages) {
    const settings = environmentVariables.map(({ name }) => name)
    const known = Object.keys(schema.properties).map(variable)
    t.strictSame(settings.filter((one) => !known.includes(one)), [], 'each is a setting of the server')
    t.ok(blanksOf(transport.url).every((blank) => settings.includes(blank)))
  }
  for (const { url, variables = {}, headers = [] } of entry.remotes) {
    t.strictSame(Object.keys(variables), blanksOf(url), 'each variable of the address is described')
    for (const header of headers) {
      t.strictSame(Object.keys(header.variables ?? {}), blanksOf(header.value))
      t.match(header, { name: 'Authorization', isSecret: true, variables: { token: { isSecret: true, isRequired: true } } })
    }
  }
  t.strictSame(entry.remotes[0]?.headers, undefined, 'where people sign in there is no secret')
  t.strictSame(faultsOf({ ...entry, name: 'exploration', status: 'active' }).length, 2)
})

t.test('the plugin: each manifest leads to a file with one server, and no secret', async (t) => {
  for (const host of ['.claude-plugin', '.cursor-plugin']) {
    const manifest = json<{ mcpServers: string, userConfig?: Record<string, object> }>(`scripts/plugin/${host}/plugin.json`)
    t.match(manifest, { name: /^[a-z0-9]+(?:-[a-z0-9]+)*$/, version, description: String, mcpServers: /^\.\/[\w.-]+\.json$/ }, host)
    for (const asked of Object.values(manifest.userConfig ?? {})) {
      t.match(asked, { type: /^(?:string|number|boolean|directory|file)$/, title: String, description: String })
    }
    const file = join('scripts/plugin', manifest.mcpServers)
    t.ok(existsSync(join(ROOT, file)), file)
    const { mcpServers } = json<{ mcpServers: Record<string, { url: string }> }>(file)
    t.strictSame(Object.keys(mcpServers), ['exploration'])
    t.notMatch(read(file), /authorization|bearer|svc_/i)
    const [, name = ''] = /^\$\{user_config\.(\w+)\}$/.exec(mcpServers['exploration']?.url ?? '') ?? []
    if (host === '.claude-plugin') t.hasOwnProp(manifest.userConfig ?? {}, name, 'what is asked for is what is used')
    else t.match(mcpServers['exploration']?.url, /^\$\{env:[A-Z_]+\}$/)
  }
  const { logo, skills } = json<{ logo: string, skills: string }>('scripts/plugin/.cursor-plugin/plugin.json')
  t.ok(existsSync(join(ROOT, 'scripts/plugin', logo)) && existsSync(join(ROOT, 'scripts/plugin', skills, 'review-a-plan/SKILL.md')))
  const marketplace = json<{ plugins: Array<{ name: string, source: string }> }>('scripts/plugin/.claude-plugin/marketplace.json')
  t.match(marketplace.plugins, [{ name: 'exploration', source: './' }])
})

t.test('the icon: as the pages have it, and in the sizes that directories ask for', async (t) => {
  const folder = join(ROOT, 'scripts/plugin/assets')
  t.equal(read('scripts/plugin/assets/icon.svg'), read('src/web/app/icon.svg'))
  for (const size of [64, 128, 512, 1024]) {
    const file = join(folder, `icon-${size}.png`)
    const png = readFileSync(file)
    t.equal(png.subarray(1, 4).toString(), 'PNG')
    t.strictSame([png.readUInt32BE(16), png.readUInt32BE(20), png[25]], [size, size, 6], 'width, height, colour with transparency')
    t.ok(statSync(file).size <= 50_000, 'the smallest bound that a directory has is 1 MiB')
  }
})
