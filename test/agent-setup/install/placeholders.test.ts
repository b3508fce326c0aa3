// What an agent would fill in, a shell would execute or a file would end at is no token: per agent, on each way into its file.
/* eslint-disable no-template-curly-in-string -- what agents fill in */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createServer } from 'node:http'
import t from 'tap'
import { apply } from '../../../src/agent-setup/install/apply.js'
import { checkRegistrations } from '../../../src/agent-setup/doctor/check-registrations.js'
import { fileSystem } from '../../../src/agent-setup/file-system.js'
import { readTree } from '../../../src/agent-setup/config-files/edit.js'
import { at } from '../../../src/agent-setup/config-files/tree.js'
import { digestOf } from '../../../src/agent-setup/install/entry-template.js'
import { locate } from '../../../src/agent-setup/registry/paths.js'
import { planRegistration } from '../../../src/agent-setup/install/plan.js'
import { readBack } from '../../../src/agent-setup/install/read-back.js'
import { agents } from '../../../src/agent-setup/registry/known-agents.js'
import { some } from '../../helpers/fuzzing.js'
import { listeningPort } from '../../helpers/listening-port.js'

const TOKEN = `svc_pat_${'T'.repeat(32)}`
const SECRET = 'AWS-SECRET-OF-THE-USER'
const PLACEHOLDERS = [
  '${env:AWS}', '${AWS}', '${AWS:-x}', '$AWS', '$env:AWS', '{env:AWS}', '{file:~/.vault-token}', '${file:~/.vault-token}', '${input:x}', '%AWS%', '!AWS!',
  '$(cat ~/.vault-token)', '`cat ~/.vault-token`', '{{ AWS }}', 'op://vault/item', '<secret>', '<url>',
  `${TOKEN}\${env:AWS}`, `\${env:AWS}${TOKEN}`, `${TOKEN}\n`, `${TOKEN}\r\nX-Other: 1`, `${TOKEN} `, `${TOKEN}"`, `${TOKEN}'`, `${TOKEN}\u001b[2J`, `${TOKEN}\u0000`,
  `${TOKEN}\u202e`, `${TOKEN}\ufeff`, TOKEN.toLowerCase(), TOKEN.slice(0, -1), 'A'.repeat(400_000), `svc_pat_${'A'.repeat(400_000)}`, 'svc_pat_', '', ' '
]
const FILLED_IN = PLACEHOLDERS.filter((text) => /^[${%!]/.test(text))

const sent: string[] = []
const server = createServer((request, reply) => {
  sent.push(request.headers.authorization ?? '')
  request.resume()
  reply.writeHead(401).end()
})
const url = `http://127.0.0.1:${await listeningPort(t, server)}/mcp`

for (const agent of some(agents)) {
  t.test(agent.name, async (t) => {
    const home = t.testdir({ '.vault-token': SECRET, token: TOKEN, project: {} })
    const machine = { platform: 'linux' as const, home, env: { AWS: SECRET, INPUT: SECRET, HOME: home }, fileSystem }
    const wanted = { name: 'exploration', url, scope: 'user' as const }
    mkdirSync(locate(agent.detectedBy.at(-1)!, machine)!, { recursive: true })

    for (const value of PLACEHOLDERS) {
      await t.rejects(planRegistration(agent, { ...wanted, secret: { kind: 'token', value } }, machine), { name: 'Refusal' }, `written: ${value.slice(0, 50)}`)
    }
    for (const url of ['https://x.example/mcp?k=${env:AWS}', 'https://x.example/$AWS', 'https://x.example/mcp?a={file:~/.vault-token}', 'https://x.example/`id`']) {
      await t.rejects(planRegistration(agent, { ...wanted, url, secret: { kind: 'token', value: TOKEN } }, machine), { name: 'Refusal' }, url)
    }

    const plan = await planRegistration(agent, { ...wanted, secret: { kind: 'token', value: TOKEN } }, machine)
    const { registration } = await apply(plan, fileSystem)
    const good = readFileSync(plan.file, 'utf8')
    t.match(await readBack(agent, registration!, machine, TOKEN), { headers: { Authorization: `Bearer ${TOKEN}` } })
    // Someone else's placeholder in the place of the token, also where the digest says that it was written by us.
    for (const value of FILLED_IN) {
      writeFileSync(plan.file, good.replace(TOKEN, () => value))
      const entry = at(readTree(agent.format, readFileSync(plan.file, 'utf8')), registration!.puts.at(-1)!.path)
      const poisoned = {
        ...registration!, puts: registration!.puts.map((put) => ({ ...put, digest: digestOf(entry!, agent) }))
      }
      for (const [record, token] of [[registration!, TOKEN], [poisoned, TOKEN]] as const) {
        t.type(await readBack(agent, record, machine, token), 'string', `read: ${value}`)
      }
    }

    // Doctor: whatever an entry refers to, only a credential is sent.
    const files = [plan.file, ...agent.project ? [join(home, 'project', agent.project[0]!)] : []]
    for (const [index, file] of files.entries()) {
      for (const value of [...index === 0 ? FILLED_IN : FILLED_IN.slice(0, 3), SECRET]) {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, good.replace(TOKEN, () => value))
        for await (const { detail } of checkRegistrations({ url: new URL(url), host: machine, folder: join(home, 'project'), stored: undefined, reachable: true })) {
          t.notMatch(detail, SECRET)
        }
      }
    }
    t.strictSame(sent.filter((header) => header !== '' && header !== `Bearer ${TOKEN}`), [], 'no secret left this machine')
  })
}
