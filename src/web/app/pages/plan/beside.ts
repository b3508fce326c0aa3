/** What the page of a plan loads beside its own file. */
export { PlanActions } from '../../edit/plan-actions.js'
export { savePicture } from '../../plan/export-picture.js'
export { ItemRecord } from '../exploration/history.js'
