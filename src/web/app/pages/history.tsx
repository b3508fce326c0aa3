/** All changes of one exploration: its page, at an address of its own. */
export { default } from './exploration.js'
