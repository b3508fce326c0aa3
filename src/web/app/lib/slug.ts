/** Slugs of workspaces. */

/** `Über Payments!` → `uber-payments`; at most 63 characters. */
export const slugOf = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    .replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '').slice(0, 63).replace(/-+$/, '')
