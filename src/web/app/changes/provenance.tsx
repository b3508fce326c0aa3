/** What a change is and where it comes from: texts, who wrote it, through what, and what an agent gives as proof. */
import type { Evidence } from '../../../planning/records.js'
import { Badge } from '../components/states.js'
import { HostileText } from '../components/hostile-text.js'
import { WordDiff } from '../components/word-diff.js'
import { sentenceCase } from '../lib/words.js'
import { plainLines } from '../plan/plain-text.js'
import './changes.css'

/** As records keep it; without a user it was the server. */
export interface Author { user?: string, credential?: string, client?: string, tool?: string }

export const Person = ({ by }: { by: Author | undefined }) => <bdi class='author'>{by?.user ?? 'The server'}</bdi>

/** Draws the rest: ` · with cursor (cursor/2.1), report_progress`; nothing for what a person did in the pages. */
export const Through = ({ by: { credential, client, tool } = {} }: { by: Author | undefined }) => (
  <>
    {credential !== undefined && <> · with <HostileText text={credential} /></>}
    {client !== undefined && <> (<HostileText text={client} />)</>}
    {tool !== undefined && <>, <code>{tool}</code></>}
  </>
)

export const isEvidence = (value: unknown): value is Evidence[] => Array.isArray(value) && value.length > 0

/** Draws what nobody has checked. Only an address with http or https is a link, which shows where it leads. */
export const EvidenceList = ({ evidence }: { evidence: readonly Evidence[] }) => (
  <section class='aside' aria-label='Evidence'>
    <p class='aside-label'>Evidence <Badge tone='warn'>not checked</Badge></p>
    <ul>
      {evidence.map(({ kind, ref, summary }, at) => (
        <li key={at}>
          {kind === 'url' ? 'URL' : sentenceCase(kind)}{' '}
          {/^https?:\/\//i.test(ref)
            ? <a href={ref} target='_blank' rel='noreferrer noopener nofollow'><HostileText text={ref} /></a>
            : <code><HostileText text={ref} /></code>}
          {summary !== undefined && <span> · <HostileText text={summary} /></span>}
        </li>
      ))}
    </ul>
  </section>
)

export const TextChange = ({ label, before, after }: { label: string, before: string, after: string }) => (
  <div class='aside'>
    <p class='aside-label'>{label}</p>
    {before === '' ? <p class='lines'>{plainLines(after)}</p> : <WordDiff before={before} after={after} />}
  </div>
)
