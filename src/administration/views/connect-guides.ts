/** How each agent and application is connected, for the Connect page: from the table that `init` uses. */
import { guideFor, hostedGuideFor, manualGuideFor, oauthGuideFor } from '../../agent-setup/install/guide.js'
import { hostedApplications } from '../../agent-setup/registry/hosted-applications.js'
import type { Agent } from '../../agent-setup/registry/agent.js'
import { agents, manualAgents } from '../../agent-setup/registry/known-agents.js'

/** What `init` calls the entry too. */
const ENTRY_NAME = 'exploration'

/** `endpoint` takes keys and tokens; applications sign people in at the other, which is undefined without OAuth. */
export const connectGuides = (endpoint: string, oauthEndpoint: string | undefined) => {
  const options = { name: ENTRY_NAME, url: endpoint }
  return {
    endpoint,
    name: ENTRY_NAME,
    init_command: `npx exploration-mcp init --url ${new URL(endpoint).href}`,
    agents: [
      ...agents.map((agent) => guideFor(agent, options)),
      ...manualAgents.map((agent) => manualGuideFor(agent, options))
    ],
    oauth: oauthGuides(oauthEndpoint)
  }
}

const oauthGuides = (url: string | undefined) => {
  if (url === undefined) return null
  const options = { name: ENTRY_NAME, url }
  return {
    endpoint: url,
    guides: [
      ...hostedApplications.map((application) => ({
        ...agentLink(application), ...hostedGuideFor(application, options)
      })),
      ...agents.flatMap((agent) => {
        const guide = oauthGuideFor(agent, options)
        return guide ? [{ ...agentLink(agent), ...guide }] : []
      })
    ]
  }
}

const agentLink = ({ id, name, docs }: Pick<Agent, 'id' | 'name' | 'docs'>) => ({ id, name, docs })
