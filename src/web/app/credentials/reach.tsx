/** Which workspaces a credential or an application reaches: all that its owner sees, or some. */
import { useState } from 'preact/hooks'
import { CheckboxList } from '../components/choices.js'

type Reach = 'all' | 'some'

export const REACHES: ReadonlyArray<{ value: Reach, label: string }> =
  [{ value: 'all', label: 'All that I see' }, { value: 'some', label: 'Only some' }]

/** The choice and the list to choose from; what a request says of it; and what is missing, as a sentence. */
export const useReach = (workspaces: ReadonlyArray<{ id: string, name: string }>) => {
  const [reach, setReach] = useState<Reach>('all')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const options = workspaces.map(({ id, name }) => ({ value: id, label: name }))
  return {
    reach,
    setReach,
    list: reach === 'some' &&
      <CheckboxList label='Which workspaces' options={options} values={chosen} onChange={setChosen} />,
    body: reach === 'some' ? { workspaces: [...chosen] } : {},
    fault: reach === 'some' && chosen.length === 0 ? 'Choose at least one workspace.' : undefined
  }
}
