// What randomised factoring needs of dense matrices; all of them hold row after row.

/** XᵀX. */
export function gram (x: Float32Array, k: number): Float64Array {
  const out = new Float64Array(k * k)
  for (let at = 0; at + k <= x.length; at += k) {
    for (let i = 0; i < k; i++) {
      const xi = x[at + i]!
      for (let j = 0, to = i * k; j <= i; j++, to++) out[to]! += xi * x[at + j]!
    }
  }
  for (let i = 0; i < k; i++) for (let j = 0; j < i; j++) out[j * k + i] = out[i * k + j]!
  return out
}

/** X·T, where T's row i is zero before column `first(i)`. */
export function times (
  x: Float32Array, t: Float64Array, k: number, width: number, first: (row: number) => number
): Float32Array {
  const out = new Float32Array(x.length / k * width)
  const row = new Float64Array(width)
  for (let at = 0, to = 0; at < x.length; at += k, to += width) {
    row.fill(0)
    for (let i = 0; i < k; i++) {
      const xi = x[at + i]!
      for (let j = first(i), from = i * width + j; j < width; j++, from++) row[j]! += xi * t[from]!
    }
    out.set(row, to)
  }
  return out
}

/** Cholesky QR: X·R⁻¹ where XᵀX = RᵀR. */
export function orthonormal (x: Float32Array, k: number): Float32Array {
  const g = gram(x, k)
  const r = new Float64Array(k * k)
  for (let i = 0; i < k; i++) {
    for (let j = i; j < k; j++) {
      let sum = g[i * k + j]!
      for (let m = 0; m < i; m++) sum -= r[m * k + i]! * r[m * k + j]!
      r[i * k + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / r[i * k + i]!
    }
  }
  const inverse = new Float64Array(k * k)
  for (let j = 0; j < k; j++) {
    inverse[j * k + j] = 1 / r[j * k + j]!
    for (let i = j - 1; i >= 0; i--) {
      let sum = 0
      for (let m = i + 1; m <= j; m++) sum += r[i * k + m]! * inverse[m * k + j]!
      inverse[i * k + j] = -sum / r[i * k + i]!
    }
  }
  return times(x, inverse, k, k, (i) => i)
}

const SWEEPS = 12

/** Eigenvalues and eigenvectors (columns) of a symmetric matrix, by Jacobi's rotations, in place. */
export function eigen (a: Float64Array, n: number): { values: Float64Array, vectors: Float64Array } {
  const v = new Float64Array(n * n)
  for (let i = 0; i < n; i++) v[i * n + i] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const [app, aqq, apq] = [a[p * n + p]!, a[q * n + q]!, a[p * n + q]!]
        if (Math.abs(apq) < 1e-12 * Math.sqrt(Math.abs(app * aqq))) continue
        const theta = (aqq - app) / (2 * apq)
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        rotate(a, n, p, q, n, c, t * c)
        rotate(a, n, p * n, q * n, 1, c, t * c)
        rotate(v, n, p, q, n, c, t * c)
      }
    }
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]!), vectors: v }
}

/** Turns two rows (step 1) or columns (step n) that begin at p and q towards each other. */
function rotate (matrix: Float64Array, n: number, p: number, q: number, step: number, c: number, s: number) {
  for (let i = 0; i < n; i++, p += step, q += step) {
    const [x, y] = [matrix[p]!, matrix[q]!]
    matrix[p] = c * x - s * y
    matrix[q] = s * x + c * y
  }
}
