/** Recommendations of an exploration; strategies come first. Who may write sees those too that wait for a decision. */
import { Badge } from '../../components/states.js'
import { Button } from '../../components/button.js'
import { Markdown } from '../../components/markdown.js'
import { Time } from '../../components/time.js'
import { sentenceCase } from '../../lib/words.js'
import { useChange } from '../../edit/use-change.js'
import type { ExplorationAnswer } from '../../api/answers.js'

interface RecommendationsProps {
  id: string
  recommendations: ExplorationAnswer['recommendations']
  mayEdit: boolean
}

export const Recommendations = ({ id: exploration, recommendations, mayEdit }: RecommendationsProps) => {
  const { run, pending } = useChange(exploration)
  return (
    <ul class='recommendations'>
      {recommendations.map(({ id, kind, status, title, body, approved_by: by, approved_at: at }) => (
        <li key={id} class='recommendation'>
          <div class='recommendation-heading'>
            <h3>{title}</h3>
            {kind === 'strategy' && <Badge tone='accent'>Strategy</Badge>}
            {status !== 'approved' && <Badge tone='warn'>{sentenceCase(status)}</Badge>}
            {mayEdit && ['approved', 'rejected'].filter((decision) => decision !== status).map((decision) => (
              <Button
                key={decision} size='s' pending={pending}
                onClick={() => run({ kind: 'decide_recommendation', recommendation_id: id, status: decision })}
              >
                {decision === 'approved' ? 'Approve' : 'Reject'}
              </Button>
            ))}
          </div>
          {(by !== null || at !== null) && (
            <p class='recommendation-meta'>
              Approved{by !== null && <> by <span title={by.email}>{by.name}</span></>}
              {at !== null && <> <Time value={at} /></>}
            </p>
          )}
          <Markdown tree={body} level={4} prefix={`recommendation-${id}-`} />
        </li>
      ))}
    </ul>
  )
}
