/** How a person connects one agent by hand: the entry for its file, its own command, and links that add the entry. */
import { oauthValuesOf, valuesOf, PLACEHOLDER_TOKEN } from './entry-template.js'
import type { LinkTemplate } from './link-template.js'
import { snippetOf } from '../config-files/edit.js'
import { oauthAddressOf } from '../registry/endpoint-address.js'
import type { Agent, Format, HostedApplication, InstallLink, ManualAgent } from '../registry/agent.js'

export interface Guide {
  id: string
  name: string
  instructions: string
  config_file: string | null
  format: Format | null
  /** With `<secret>` in it. */
  snippet: string | null
  command?: string
  link?: string
  link_note?: string
  secret_link?: LinkTemplate
  next_step: string
  docs: string
}

/** How a person connects an agent or an application to the address where they sign in. */
export type OAuthGuide = Pick<
  Guide, 'instructions' | 'config_file' | 'format' | 'snippet' | 'command' | 'link' | 'next_step'
>

export interface GuideOptions {
  /** What the entry is called. */
  name: string
  /** The URL of the MCP endpoint. */
  url: string
}

const SECRET = '<secret>'

/**
 * Returns the guide of an agent that keeps its servers in a file.
 * @throws {Refusal} for a name or an address that is not written into any file
 */
export const guideFor = (agent: Agent, { name, url }: GuideOptions): Guide => {
  const values = valuesOf(agent, { name, url, secret: { kind: 'token', value: PLACEHOLDER_TOKEN } }) ?? []
  const snippet = values.map(({ path, value }) => snippetOf(agent.format, path, value)).join('\n')
    .replaceAll(PLACEHOLDER_TOKEN, SECRET)
  const file = shownPath(agent)
  const { link, command } = agent
  const withoutSecret = link?.config === undefined ? undefined : linkOf(link, link.config, { name, url })
  return {
    id: agent.id,
    name: agent.name,
    instructions: `${command === undefined ? 'Put' : 'Run the command, or put'} the entry into ${file}.`,
    config_file: file,
    format: agent.format,
    snippet,
    ...(command !== undefined && { command: inText(command, { name, url }) }),
    ...(withoutSecret !== undefined && { link: withoutSecret }),
    ...(link?.note !== undefined && { link_note: link.note }),
    ...(link?.secretConfig !== undefined && { secret_link: secretLinkOf(link, link.secretConfig, { name, url }) }),
    next_step: agent.nextStep,
    docs: agent.source.page
  }
}

/** Returns the guide of an agent that takes no entry in a file. */
export const manualGuideFor = ({ id, name, instructions, source }: ManualAgent, { url }: GuideOptions): Guide => ({
  id,
  name,
  instructions: instructions.replaceAll('<oauth-url>', () => oauthAddressOf(url) ?? url).replaceAll('<url>', () => url),
  config_file: null,
  format: null,
  snippet: null,
  next_step: '',
  docs: source.page
})

/**
 * Returns the guide of an agent for the address where its user signs in; undefined when it signs no one in.
 * @param options `url` is that address
 * @throws {Refusal} for a name or an address that is not written into any file
 */
export const oauthGuideFor = (agent: Agent, options: GuideOptions): OAuthGuide | undefined => {
  const { oauth, link, format } = agent
  const values = oauthValuesOf(agent, options)
  if (!oauth || !values) return undefined
  const { command, linkConfig, nextStep } = oauth
  const file = shownPath(agent)
  return {
    instructions: `${command === undefined ? 'Put' : 'Run the command, or put'} the entry into ${file}. ` +
      'It has no secret.',
    config_file: file,
    format,
    snippet: values.map(({ path, value }) => snippetOf(format, path, value)).join('\n'),
    ...(command !== undefined && { command: inText(command, options) }),
    ...(link && linkConfig !== undefined && { link: linkOf(link, linkConfig, options) }),
    next_step: inText(nextStep, options)
  }
}

/** Returns the guide of an application that takes nothing but the address. */
export const hostedGuideFor = ({ instructions, nextStep }: HostedApplication, options: GuideOptions): OAuthGuide => ({
  instructions: inText(instructions, options),
  config_file: null,
  format: null,
  snippet: null,
  next_step: nextStep
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

const linkOf = ({ before, after = '', encoding }: InstallLink, config: string, options: GuideOptions): string => {
  const text = inConfig(config, options)
  const encoded = encoding === 'base64' ? Buffer.from(text).toString('base64') : text
  return inUri(before, options) + encodeURIComponent(encoded) + inUri(after, options)
}

const secretLinkOf = (
  { before, after = '', encoding }: InstallLink, config: string, options: GuideOptions
): LinkTemplate =>
  ({ before: inUri(before, options), config: inConfig(config, options), encoding, after: inUri(after, options) })
