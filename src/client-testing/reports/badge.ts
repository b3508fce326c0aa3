/** The report as a badge: one SVG of 20 pixels' height. */
import { failuresFor, type Report } from './report.js'
import { element, escapeXml } from './xml.js'

const CHARACTER = 6.6
const PADDING = 12
const widthOf = (text: string): number => Math.round(text.length * CHARACTER) + PADDING

/** Returns the SVG. It is green without failures, yellow when only SHOULD is failed, red otherwise. */
export const toBadge = (report: Report): string => {
  const { passed, failed } = report.summary
  const label = `mcp ${report.command}`
  const value = failed === 0 ? `${passed} passed` : `${failed} failed, ${passed} passed`
  const colour = failed === 0 ? '#1a7f37' : failuresFor(report, 'must').length === 0 ? '#7d5700' : '#b42318'
  const [left, right] = [widthOf(label), widthOf(value)]
  const width = left + right
  const name = `${label}: ${value}`
  const font = { fill: '#fff', 'text-anchor': 'middle', 'font-family': 'Verdana,sans-serif', 'font-size': 11 }
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height: 20, role: 'img', 'aria-label': name },
    [
      element('title', {}, escapeXml(name)),
      element('rect', { width, height: 20, rx: 3, fill: colour }),
      element('path', { d: `M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z`, fill: '#3d444d' }),
      element('g', font, `${word(label, 0, left)}${word(value, left, right)}`)
    ].join('')
  )}\n`
}

const word = (content: string, x: number, width: number): string => element(
  'text', { x: x + width / 2, y: 14, textLength: width - PADDING, lengthAdjust: 'spacingAndGlyphs' }, escapeXml(content)
)
