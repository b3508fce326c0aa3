/** Two versions of a record: the one that a person was about to save, and the one that another person saved first. */
import type { ComponentChildren } from 'preact'
import { textOf } from '../changes/history-words.js'
import { Note } from '../components/states.js'
import { Time } from '../components/time.js'
import { WordDiff } from '../components/word-diff.js'
import { plainLines } from '../plan/plain-text.js'
import type { EditedRecord, Field, Values } from './form.js'

const shown = ({ kind, options }: Field, value = ''): string =>
  kind === 'criteria' ? textOf(JSON.parse(value)) : options?.find((one) => one.value === value)?.label ?? value

const Version = ({ title, children }: { title: string, children: ComponentChildren }) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by the keyboard
  <div tabIndex={0} role='group' aria-label={title}><h4>{title}</h4>{children}</div>
)

interface ConflictProps { fields: readonly Field[], mine: Values, theirs: Values, record: EditedRecord }

export const Conflict = ({ fields, mine, theirs, record: { changed_by: by, changed_at: at } }: ConflictProps) => (
  <>
    <Note tone='warn' role='alert'>
      {by ?? 'Somebody'} saved another version{at === undefined ? ' since you began' : <> <Time value={at} /></>}.
      Nothing of yours is lost, and nothing of it is saved yet.
    </Note>
    {fields.filter(({ name }) => name in mine && mine[name] !== theirs[name]).map((field) => {
      const [yours, saved] = [shown(field, mine[field.name]), shown(field, theirs[field.name])]
      return (
        <section key={field.name} class='edit-versions' aria-label={field.label}>
          <h3>{field.label}</h3>
          <Version title='Yours'><p>{plainLines(yours)}</p></Version>
          <Version title='Theirs'><p>{plainLines(saved)}</p></Version>
          <Version title='From theirs to yours'><WordDiff before={saved} after={yours} /></Version>
        </section>
      )
    })}
  </>
)
