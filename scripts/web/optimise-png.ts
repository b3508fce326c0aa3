/**
 * Makes the PNG files of Chromium smaller without a package: pictures of pages have few colours, so that most fit a palette of 256. What
 * has more keeps its colours, and is only compressed harder.
 */
import { deflateSync, inflateSync, crc32 as zlibCrc32 } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PALETTE = 256

interface Image { width: number, height: number, channels: number, pixels: Buffer }

/** Reads an image of 8 bits per channel, RGB or RGBA, not interlaced: what Chromium writes. */
const decode = (png: Buffer): Image => {
  let at = SIGNATURE.length
  let header: Buffer = Buffer.alloc(0)
  const data: Buffer[] = []
  while (at < png.length) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') header = body
    if (type === 'IDAT') data.push(body)
    at += length + 12
  }
  const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3]
  return { width, height, channels, pixels: unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels) }
}

/** Undoes the filters of the lines (PNG 9.2). */
const unfilter = (raw: Buffer, stride: number, height: number, channels: number): Buffer => {
  const pixels = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : pixels[y * stride + x - channels] ?? 0
      const up = y === 0 ? 0 : pixels[(y - 1) * stride + x] ?? 0
      const corner = y === 0 || x < channels ? 0 : pixels[(y - 1) * stride + x - channels] ?? 0
      pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predict(filter, left, up, corner)
    }
  }
  return pixels
}

const predict = (filter = 0, left: number, up: number, corner: number): number => {
  switch (filter) {
    case 1: return left
    case 2: return up
    case 3: return (left + up) >> 1
    case 4: {
      const base = left + up - corner
      const [a, b, c] = [Math.abs(base - left), Math.abs(base - up), Math.abs(base - corner)]
      return a <= b && a <= c ? left : b <= c ? up : corner
    }
    default: return 0
  }
}

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** `crc32` of zlib is there from Node 22.2 on. */
const crc32 = (bytes: Buffer): number => {
  if (typeof zlibCrc32 === 'function') return zlibCrc32(bytes)
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return ~sum >>> 0
}

/**
 * Returns the same picture in fewer bytes. Colours beyond 256 are reduced to the nearest of the most frequent ones, where that changes no
 * channel by more than `tolerance`.
 */
export const optimisePng = (png: Buffer, tolerance = 10): Buffer => {
  const { width, height, channels, pixels } = decode(png)
  const colours = new Map<number, number>()
  const codes = new Uint32Array(width * height)
  for (let index = 0; index < codes.length; index++) {
    const at = index * channels
    const code = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)
    codes[index] = code
    colours.set(code, (colours.get(code) ?? 0) + 1)
  }
  const palette: number[] = []
  // The most frequent ones, none of which another one is near to: a rare colour that is unlike all others stays.
  for (const [code] of [...colours].sort((one, other) => other[1] - one[1])) {
    if (palette.length < PALETTE && palette.every((chosen) => distance(code, chosen) > tolerance)) palette.push(code)
  }
  const indexes = new Map(palette.map((code, index) => [code, index]))
  for (const code of colours.keys()) {
    if (!indexes.has(code)) indexes.set(code, nearest(code, palette))
  }
  const far = [...colours.keys()].some((code) => distance(code, palette[indexes.get(code) ?? 0] ?? 0) > tolerance * 3)
  if (far && tolerance < 64) return optimisePng(png, tolerance * 2)
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = indexes.get(codes[y * width + x] ?? 0) ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const table = Buffer.from(palette.flatMap((code) => [code >> 16, (code >> 8) & 255, code & 255]))
  const small = Buffer.concat([
    SIGNATURE, chunk('IHDR', header), chunk('PLTE', table), chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })), chunk('IEND', Buffer.alloc(0))
  ])
  return small.length < png.length ? small : png
}

const distance = (one: number, other: number): number =>
  Math.abs((one >> 16) - (other >> 16)) + Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)) + Math.abs((one & 255) - (other & 255))

const nearest = (code: number, palette: readonly number[]): number => {
  let best = 0
  for (let index = 1; index < palette.length; index++) {
    if (distance(code, palette[index] ?? 0) < distance(code, palette[best] ?? 0)) best = index
  }
  return best
}
