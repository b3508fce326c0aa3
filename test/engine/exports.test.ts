// @any-node: reads declarations
// The exports of the engine: each says what it is, and none knows of planning.
import t from 'tap'
import { engineSurface } from '../../scripts/docs/engine-surface.js'
import { ROOT } from '../helpers/root.js'

const PLANNING = /subject|exploration|workspace|artifact|planning/i

const surface = engineSurface(ROOT)
t.same(surface.filter(({ declaration, documentation }) => PLANNING.test(declaration + documentation)).map(({ name }) => name), [])
