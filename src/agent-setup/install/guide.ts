/** How a person connects one agent by hand: the entry for its file, its own command, and links that add the entry. */
import { oauthValuesOf, valuesOf, PLACEHOLDER_TOKEN } from './entry-template.js'
import type { EntryValues } from './edit-entry.js'
import { snippetOf } from '../config-files/edit.js'
import { oauthAddressOf } from '../registry/endpoint-address.js'
import type { Agent, HostedApplication, InstallLink, LinkTemplate, ManualAgent } from '../registry/agent.js'

export interface GuideOptions {
  name: string
  url: string
}

const SECRET = '<secret>'
const NO_ENTRY = { config_file: null, format: null, snippet: null }

export const guideFor = (agent: Agent, options: GuideOptions) => {
  const { id, name, link, command, nextStep, docs } = agent
  const values = valuesOf(agent, { ...options, secret: { kind: 'token', value: PLACEHOLDER_TOKEN } }) ?? []
  const guide = entryGuide(agent, values, command, link?.config, options)
  return {
    id,
    name,
    ...guide,
    snippet: guide.snippet.replaceAll(PLACEHOLDER_TOKEN, SECRET),
    ...(link?.note !== undefined && { link_note: link.note }),
    ...(link?.secretConfig !== undefined && { secret_link: secretLinkOf(link, link.secretConfig, options) }),
    next_step: nextStep,
    docs
  }
}

const entryGuide = (
  agent: Agent, values: EntryValues, command: string | undefined, config: string | undefined, options: GuideOptions
) => {
  const { link, format } = agent
  const file = shownPath(agent)
  return {
    instructions: `${command === undefined ? 'Put' : 'Run the command, or put'} the entry into ${file}.`,
    config_file: file,
    format,
    snippet: snippetOf(format, values),
    ...(command !== undefined && { command: inText(command, options) }),
    ...(link && config !== undefined && { link: linkOf(link, config, options) })
  }
}

/** The instructions of an agent that is configured by hand, for the endpoint at `url`. */
export const instructionsAt = (instructions: string, url: string): string =>
  instructions.replaceAll('<oauth-url>', () => oauthAddressOf(url) ?? url).replaceAll('<url>', () => url)

export const manualGuideFor = ({ id, name, instructions, docs }: ManualAgent, { url }: GuideOptions) => ({
  id,
  name,
  instructions: instructionsAt(instructions, url),
  ...NO_ENTRY,
  next_step: '',
  docs
})

export const oauthGuideFor = (agent: Agent, options: GuideOptions) => {
  const { oauth } = agent
  const values = oauthValuesOf(agent, options)
  if (!oauth || !values) return undefined
  const guide = entryGuide(agent, values, oauth.command, oauth.linkConfig, options)
  const instructions = `${guide.instructions} It has no secret.`
  return { ...guide, instructions, next_step: inText(oauth.nextStep, options) }
}

export const hostedGuideFor = ({ instructions, nextStep }: HostedApplication, options: GuideOptions) => ({
  instructions: inText(instructions, options), ...NO_ENTRY, next_step: nextStep
})

/** The user's file as people write it: the first place that hangs on no variable and is of no single platform. */
const shownPath = ({ user }: Agent): string => {
  const [place = ''] = [...user.filter((one) => !/^(?:\$|<appdata>)/.test(one)), ...user]
  if (place.startsWith('<data>/')) {
    const below = place.slice('<data>/'.length)
    return `~/.config/${below} (macOS: ~/Library/Application Support/${below}; Windows: ` +
      `%APPDATA%\\${below.replaceAll('/', '\\')})`
  }
  return place.replace(/^<config>\//, '~/.config/')
}

const inText = (template: string, { name, url }: GuideOptions): string =>
  template.replaceAll('<name>', () => name).replaceAll('<url>', () => url)

const inUri = (template: string, { name, url }: GuideOptions): string =>
  inText(template, { name: encodeURIComponent(name), url: encodeURIComponent(url) })

/** Fills a text that may be JSON: what is filled in cannot end a string of it. */
const inConfig = (template: string, { name, url }: GuideOptions): string =>
  inText(template, { name: JSON.stringify(name).slice(1, -1), url: JSON.stringify(url).slice(1, -1) })

const linkOf = ({ before, encoding }: InstallLink, config: string, options: GuideOptions): string => {
  const text = inConfig(config, options)
  const encoded = encoding === 'base64' ? Buffer.from(text).toString('base64') : text
  return inUri(before, options) + encodeURIComponent(encoded)
}

const secretLinkOf = ({ before, encoding }: InstallLink, config: string, options: GuideOptions): LinkTemplate =>
  ({ before: inUri(before, options), config: inConfig(config, options), encoding, after: '' })
