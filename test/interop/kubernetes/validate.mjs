// Reads resources of Kubernetes as JSON, and answers for each what the schemas of its API hold against it: errors, and fields that no schema
// knows. In a process of its own, as the package needs a newer Node than the product.
import { text } from 'node:stream/consumers'

/** The resource, which notes the fields that nothing looks at: a schema of Kubernetes allows them, and `kubectl` refuses them. */
const watched = (value, path, unread) => {
  if (typeof value !== 'object' || value === null) return value
  const children = new Map(Object.entries(value).map(([key, child]) => [key, watched(child, `${path}/${key}`, unread)]))
  for (const key of children.keys()) unread.add(`${path}/${key}`)
  return new Proxy(value, {
    get (target, key) {
      unread.delete(`${path}/${String(key)}`)
      return children.get(key) ?? target[key]
    }
  })
}

const judge = async (resource) => {
  const { apiVersion, kind } = resource
  const packageName = apiVersion.startsWith('gateway.networking.k8s.io/') ? '@kubernetes-models/gateway-api' : 'kubernetes-models'
  const { [kind]: Model } = await import(`${packageName}/${apiVersion}/${kind}`)
  const unread = new Set()
  try {
    const model = new Model(resource)
    // Which copies what it is given.
    for (const [key, value] of Object.entries(model)) model[key] = watched(value, `/${key}`, unread)
    model.validate()
    return { kind, unknown: [...unread] }
  } catch (error) {
    return { kind, error: error.message }
  }
}

console.log(JSON.stringify(await Promise.all(JSON.parse(await text(process.stdin)).map(judge))))
