/**
 * The picture as a file: an SVG that needs no style sheet (every colour and font is an attribute, colours as #rrggbb,
 * which all programs read), and a PNG of it. Loaded beside the page.
 */
import { showToast } from '../components/toast.js'

export type SavePicture = typeof savePicture

/** Writes the drawn SVG element into a file, on the background of `surface`. */
export const savePicture = (svg: SVGSVGElement, format: 'svg' | 'png', title: string, surface: Element): void => {
  const source = pictureAsSvg(svg, title, surface)
  if (format === 'svg') return downloadFile(source, 'image/svg+xml', `${fileName(title)}.svg`)
  const { width, height } = svg.viewBox.baseVal
  svgAsPng(source, width, height).then(
    (png) => downloadFile(png, 'image/png', `${fileName(title)}.png`),
    () => showToast('The browser could not draw this plan as PNG. Download it as SVG.', 'bad')
  )
}

const PROPERTIES = [
  'fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'fill-opacity',
  'stroke-opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor'
]
const COLOURS = new Set(['fill', 'stroke'])
const NAMESPACE = 'http://www.w3.org/2000/svg'
const PADDING = 12
// Canvases of more pixels fail in browsers.
const MAX_SIDE = 16_000
const MAX_PIXELS = 120_000_000

/** Writes any CSS colour as `#rrggbb`, or `none` if it is transparent. */
const createHexColour = (): ((colour: string) => string) => {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true })
  const cache = new Map<string, string>()
  return (colour) => {
    const same = cache.get(colour)
    if (same !== undefined || context === null) return same ?? colour
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = colour
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
    const hex = alpha === 0
      ? 'none'
      : `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
    cache.set(colour, hex)
    return hex
  }
}

const pictureAsSvg = (svg: SVGSVGElement, title: string, surface: Element): string => {
  const hexColour = createHexColour()
  const copy = svg.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) throw new TypeError('The picture is no SVG element.')
  const originals = [svg, ...svg.querySelectorAll('*')]
  const copies = [copy, ...copy.querySelectorAll('*')]
  for (const [at, original] of originals.entries()) {
    const target = copies[at]
    if (target === undefined) continue
    const styles = getComputedStyle(original)
    for (const name of PROPERTIES) {
      const value = styles.getPropertyValue(name)
      if (value !== '') target.setAttribute(name, COLOURS.has(name) && value !== 'none' ? hexColour(value) : value)
    }
    for (const { name } of [...target.attributes]) {
      if (/^(?:class|style|role|tabindex|id|aria-.*)$/.test(name)) target.removeAttribute(name)
    }
  }
  const { width, height } = svg.viewBox.baseVal
  const box = [-PADDING, -PADDING, width + 2 * PADDING, height + 2 * PADDING]
  copy.setAttribute('xmlns', NAMESPACE)
  copy.setAttribute('viewBox', box.join(' '))
  copy.setAttribute('width', String(box[2]))
  copy.setAttribute('height', String(box[3]))
  const ground = document.createElementNS(NAMESPACE, 'rect')
  for (const [name, value] of Object.entries({ x: box[0], y: box[1], width: box[2], height: box[3] })) {
    ground.setAttribute(name, String(value))
  }
  ground.setAttribute('fill', hexColour(getComputedStyle(surface).backgroundColor))
  const heading = document.createElementNS(NAMESPACE, 'title')
  heading.textContent = title
  copy.prepend(heading, ground)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`
}

/** Returns the picture as a PNG, twice as sharp as the screen if it is small enough. */
const svgAsPng = async (source: string, width: number, height: number): Promise<Blob> => {
  const [outerWidth, outerHeight] = [width + 2 * PADDING, height + 2 * PADDING]
  const scale = Math.min(
    2, MAX_SIDE / Math.max(outerWidth, outerHeight), Math.sqrt(MAX_PIXELS / (outerWidth * outerHeight))
  )
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), {
    width: Math.round(outerWidth * scale), height: Math.round(outerHeight * scale)
  })
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return await new Promise((resolve, reject) => canvas.toBlob((blob) => {
    if (blob === null) reject(new Error('The browser could not draw the picture.'))
    else resolve(blob)
  }, 'image/png'))
}

export const downloadFile = (content: BlobPart, type: string, name: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  // The download has its own reference; the address may go once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A file name made of a title: letters, digits and dashes, at most 60 characters. */
const fileName = (title: string): string =>
  title.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 60) || 'plan'
