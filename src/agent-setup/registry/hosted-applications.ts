/**
 * Applications that run elsewhere and are connected in their own settings, by their documentation of 2026-11-22. They
 * take the address where people sign in, and reach it from the internet.
 */
import type { HostedApplication } from './agent.js'

export const hostedApplications: readonly HostedApplication[] = [
  {
    id: 'claude-ai',
    name: 'Claude.ai',
    docs: 'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
    instructions: 'In the settings of Claude, under Connectors, choose Add custom connector and give it <url>. ' +
      'In a team an owner adds it, then each member connects. It counts for the desktop and the mobile ' +
      'application too.',
    nextStep: 'Press Connect: Claude leads you here, and this server asks whether to allow it.'
  },
  {
    id: 'chatgpt',
    name: 'ChatGPT',
    docs: 'https://developers.openai.com/apps-sdk/deploy/connect-chatgpt',
    instructions: 'In the settings of ChatGPT, under Connectors, switch on the developer mode (Advanced), choose ' +
      'Create, give it <url>, and leave the authentication at OAuth.',
    nextStep: 'ChatGPT leads you here, and this server asks whether to allow it. Then switch the connector on in a ' +
      'conversation.'
  }
]
