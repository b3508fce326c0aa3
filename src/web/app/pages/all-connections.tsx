/** The connected applications of everybody, for server administrators. */
export { default } from './connections.js'
