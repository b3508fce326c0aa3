/** A short state or kind, in a pill. */
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'
import './badge.css'

export type BadgeTone = 'neutral' | 'accent' | 'info' | 'good' | 'warn' | 'bad'

interface BadgeProps { children: ComponentChildren, tone?: BadgeTone, icon?: IconName, title?: string }

/** Draws the pill; the tone is a colour, so the text has to say the same. */
export const Badge = ({ children, tone = 'neutral', icon, title }: BadgeProps) => (
  <span class={`badge badge-${tone}`} title={title}>
    {icon && <Icon name={icon} size={12} />}
    {children}
  </span>
)
