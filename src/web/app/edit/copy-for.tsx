/** What can be taken elsewhere: the address of a record, and a prompt that has an agent work on it. */
import { CopyButton } from '../components/copy-button.js'
import { BASE_PATH } from '../lib/base-path.js'
import { useSessionState } from '../lib/session.js'

export const CopyLink = ({ path, of }: { path: string, of: string }) => (
  <CopyButton text={`${location.origin}${BASE_PATH}${path}`} label={`Copy link to ${of}`} caption='Copy link' />
)

/** Copies the prompt. It has ids alone: a title is text of another person, which an agent might follow. */
export const CopyPrompt = ({ exploration, item }: { exploration: string, item?: string }) => {
  const endpoint = useSessionState()?.session.server.endpoint
  const what = item === undefined
    ? `exploration ${JSON.stringify(exploration)}`
    : `the item ${JSON.stringify(item)} of the plan of exploration ${JSON.stringify(exploration)}`
  const text = `Work on ${what} with the tools of the MCP server ${endpoint}. Read it with get_planning_full, and ` +
    'what it has to fulfil with get_requirement_package. If you have claim_item, claim an item first; report ' +
    'with report_progress and evidence, and ask with ask_question what only a person can decide.'
  return <CopyButton text={text} caption='Copy prompt for my agent' />
}
