/** Which workspaces a credential or an application reaches: all that its owner sees, or some. */
import { useState } from 'preact/hooks'
import { CheckboxList } from '../components/choices.js'
import { Select } from '../components/fields.js'

type Reach = 'all' | 'some'

const REACHES: ReadonlyArray<{ value: Reach, label: string }> =
  [{ value: 'all', label: 'All that I see' }, { value: 'some', label: 'Only some' }]

/** The choice and the list to choose from; what a request says of it; what is missing, which `checked` has it say. */
export const useReach = (workspaces: ReadonlyArray<{ id: string, name: string }>, checked = false) => {
  const [reach, setReach] = useState<Reach>('all')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const options = workspaces.map(({ id, name }) => ({ value: id, label: name }))
  const fault = reach === 'some' && chosen.length === 0 ? 'Choose at least one workspace.' : undefined
  return {
    reach,
    setReach,
    select: (
      <Select
        label='Workspaces' value={reach} onInput={setReach} options={REACHES} error={checked ? fault : undefined}
      />
    ),
    list: reach === 'some' &&
      <CheckboxList label='Which workspaces' options={options} values={chosen} onChange={setChosen} />,
    body: reach === 'some' ? { workspaces: [...chosen] } : {},
    fault
  }
}
