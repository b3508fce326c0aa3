/** A row of choices of which one is shown: filters of a list, or views of the same thing. */
import './tabs.css'

export interface Tab<Value extends string> { value: Value, label: string, count?: number | undefined }

export interface TabsProps<Value extends string> {
  /** What is chosen, for screen readers. */
  label: string
  tabs: ReadonlyArray<Tab<Value>>
  value: Value
  onChange: (value: Value) => void
}

/** Draws the choices; `onChange` gives the value of the pressed one. */
export const Tabs = <Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) => (
  <div class='tabs' role='group' aria-label={label}>
    {tabs.map((tab) => (
      <button
        key={tab.value} type='button' class='tab' aria-pressed={tab.value === value} onClick={() => onChange(tab.value)}
      >
        {tab.label}
        {tab.count !== undefined && <span class='tab-count'>{tab.count}</span>}
      </button>
    ))}
  </div>
)
