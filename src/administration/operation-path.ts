/** The address of an operation. Nothing is imported: commands and the browser share it. */

/**
 * The address below the prefix: `/explorations/7?limit=20`. Parameters that are undefined or null are left out.
 * @param operation its key in the table, such as `GET /explorations/:id`
 */
export const operationPath = (operation: string, params: object = {}, query: object = {}): string => {
  const values = new Map<string, unknown>(Object.entries(params))
  const template = operation.slice(operation.indexOf(' ') + 1)
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) search.append(name, String(each))
    }
  }
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}
