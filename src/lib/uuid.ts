/** Recognizes UUIDs. Check an id from outside before a statement uses it: PostgreSQL rejects other text as a `uuid`. */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)
