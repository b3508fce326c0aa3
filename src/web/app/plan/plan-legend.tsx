/** What the shapes mean: those that the plan has. */
import { ConflictGlyph, GateIcon, GlyphIcon, StatusGlyph } from './glyphs.js'
import type { PlanModel } from './plan-model.js'

export const PlanLegend = ({ model: { counts, ready, gates, conflicts, items } }: { model: PlanModel }) => (
  <div class='plan-legend'>
    <ul>
      {ready.length > 0 && <li><GlyphIcon><StatusGlyph status='todo' ready /></GlyphIcon>ready to start</li>}
      {counts.todo > ready.length && <li><GlyphIcon><StatusGlyph status='todo' /></GlyphIcon>to do</li>}
      {counts.in_progress > 0 && <li><GlyphIcon><StatusGlyph status='in_progress' /></GlyphIcon>in progress</li>}
      {counts.done > 0 && <li><GlyphIcon><StatusGlyph status='done' /></GlyphIcon>done</li>}
      {counts.blocked > 0 && <li><GlyphIcon><StatusGlyph status='blocked' /></GlyphIcon>blocked</li>}
      {items.some(({ holder }) => holder !== undefined) && <li><span class='plan-legend-held' />held</li>}
      {items.some(({ proposal }) => proposal) && <li><span class='plan-legend-waits' />waits for a person</li>}
      {gates.length > 0 && <li><GateIcon status='open' />gate</li>}
      {conflicts.length > 0 && <li><GlyphIcon><ConflictGlyph severity='high' /></GlyphIcon>conflict</li>}
    </ul>
    <p class='plan-keys'>↑ ↓ through all, ← → along arrows, Enter opens or closes a group</p>
  </div>
)
