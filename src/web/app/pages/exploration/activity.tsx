/** Who has read and changed an exploration lately: people and agents, from the audit log. */
import { useState } from 'preact/hooks'
import { useOperation } from '../../api/resource.js'
import { Person, Through } from '../../changes/provenance.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { ErrorNote } from '../../components/states.js'
import { Time } from '../../components/time.js'
import { countOf } from '../../lib/format-number.js'
import { wordsOf } from '../audit/audit-words.js'

export const Activity = ({ id }: { id: string }) => {
  const [open, setOpen] = useState(false)
  const { value, error } = useOperation('GET /explorations/:id/activity', open ? { params: { id } } : null)
  return (
    <Card
      title='Who read and changed this' description='People and agents, newest first.' flush={open}
      actions={!open && <Button size='s' icon='eye' onClick={() => setOpen(true)}>Show</Button>}
    >
      {open && (
        <ul>
          {value?.activity.map(({ action, tool, count, ...by }, at) => (
            <li key={at} class='history-row history-head'>
              <p>
                <Person by={by} /> {wordsOf(action).replace('…', tool ?? 'this exploration')}
                <span class='aside-label'>
                  <Through by={by} />{count > 1 && ` · ${countOf(count, 'time')} in 30 days`}
                </span>
              </p>
              <Time value={by.at} />
            </li>
          ))}
          {error !== undefined && <li><ErrorNote>{error}</ErrorNote></li>}
        </ul>
      )}
    </Card>
  )
}
