/** Approved recommendations of an exploration; strategies come first. */
import { Badge } from '../../components/badge.js'
import { Markdown } from '../../components/markdown.js'
import { Time } from '../../components/time.js'
import type { ExplorationAnswer } from '../../api/answers.js'

/** Draws them as a list. */
export const Recommendations = ({ recommendations }: { recommendations: ExplorationAnswer['recommendations'] }) => (
  <ul class='recommendations'>
    {recommendations.map(({ id, kind, title, body, approved_by: approvedBy, approved_at: approvedAt }) => (
      <li key={id} class='recommendation'>
        <div class='recommendation-heading'>
          <h3>{title}</h3>
          {kind === 'strategy' && <Badge tone='accent'>Strategy</Badge>}
        </div>
        {(approvedBy !== null || approvedAt !== null) && (
          <p class='recommendation-meta'>
            Approved{approvedBy !== null && <> by <span title={approvedBy.email}>{approvedBy.name}</span></>}
            {approvedAt !== null && <> <Time value={approvedAt} /></>}
          </p>
        )}
        <Markdown tree={body} level={4} prefix={`recommendation-${id}-`} />
      </li>
    ))}
  </ul>
)
