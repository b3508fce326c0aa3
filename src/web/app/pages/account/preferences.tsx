/** Name, time zone and theme. */
import { useEffect, useState } from 'preact/hooks'
import type { Theme } from '../../../../access/sign-in/web-sessions.js'
import { useAction } from '../../api/action.js'
import { call } from '../../api/call.js'
import { Button } from '../../components/button.js'
import { Card } from '../../components/layout.js'
import { ErrorNote, SkeletonText } from '../../components/states.js'
import { Form, Select, TextField } from '../../components/fields.js'
import { showToast } from '../../components/toast.js'
import { useSessionState, type SessionState } from '../../lib/session.js'
import { applyTheme } from '../../lib/theme.js'

const THEMES: ReadonlyArray<{ value: Theme, label: string }> = [
  { value: 'system', label: 'As the system' }, { value: 'light', label: 'Light' }, { value: 'dark', label: 'Dark' }
]
const OF_BROWSER = ''

const zones = (): ReadonlyArray<{ value: string, label: string }> => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return [
    { value: OF_BROWSER, label: `That of the browser (${own})` },
    ...['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
  ]
}

export const Preferences = () => {
  const state = useSessionState()
  return (
    <Card title='Profile'>
      {state ? <Fields {...state} /> : <div class='account-loading'><SkeletonText lines={5} /></div>}
    </Card>
  )
}

const Fields = ({ session, reload }: SessionState) => {
  const [name, setName] = useState(session.user.name)
  const [zone, setZone] = useState(session.preferences.time_zone ?? OF_BROWSER)
  const [theme, setTheme] = useState(session.preferences.theme)
  const [checked, setChecked] = useState(false)
  const [options] = useState(zones)
  // Shown at once, and taken back when the person leaves without saving.
  useEffect(() => {
    applyTheme(theme)
    return () => applyTheme(session.preferences.theme)
  }, [theme, session.preferences.theme])
  const save = useAction(async () => {
    await call('PATCH /account', {
      body: { name: name.trim(), theme, time_zone: zone === OF_BROWSER ? null : zone }
    })
    reload()
    showToast('Saved.')
  })
  const { preferences, user } = session
  const changed = name.trim() !== user.name || theme !== preferences.theme ||
    zone !== (preferences.time_zone ?? OF_BROWSER)
  return (
    <Form
      onSubmit={() => {
        setChecked(true)
        if (name.trim() !== '') save.run()
      }}
    >
      <div class='field-row'>
        <TextField
          label='Name' value={name} onInput={setName} autocomplete='name' maxLength={200} required
          error={checked && name.trim() === '' ? 'A name is needed: others see it.' : undefined}
        />
        <TextField label='E-mail' type='email' value={session.user.email} onInput={() => {}} disabled />
      </div>
      <div class='field-row'>
        <Select label='Time zone' value={zone} onInput={setZone} options={options} />
        <Select label='Theme' value={theme} onInput={setTheme} options={THEMES} />
      </div>
      {save.error !== undefined && <ErrorNote>{save.error}</ErrorNote>}
      <div><Button type='submit' variant='primary' pending={save.pending} disabled={!changed}>Save</Button></div>
    </Form>
  )
}
