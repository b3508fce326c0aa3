/** Adds the files of skills to the resources of a server. */
import type { ResourceRegistry } from '../resources/resource-registry.js'
import type { SkillRegistry } from './skill-registry.js'

/** Returns the registry with the files, on the last page of the list. Their bytes are served as they are. */
export const withSkillFiles = (resources: ResourceRegistry, { contents, listed }: SkillRegistry): ResourceRegistry => ({
  ...resources,
  isEmpty: false,

  async list (context, cursor) {
    const page = await resources.list(context, cursor)
    return page.next === undefined ? { entries: [...page.entries, ...listed] } : page
  },

  async read (uri, context) {
    const file = contents.get(uri)
    return file ? { contents: [file], ttlMs: 300_000, isShared: true } : resources.read(uri, context)
  },

  async locate (uris, context) {
    const located = await resources.locate(uris, context)
    return located.map((there, index) => there || contents.has(uris[index] ?? ''))
  },

  canonical: (uri) => contents.has(uri) ? uri : resources.canonical(uri)
})
