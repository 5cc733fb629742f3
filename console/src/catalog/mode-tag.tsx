import { Tag } from '../parts/notices.tsx'
import type { Mode } from './catalog.ts'

const modeNames: Readonly<Record<Mode, string>> = {
  live: 'live',
  keyless: 'public source',
  embedded: 'built in',
  unavailable: 'not available',
}

export const ModeTag = ({ mode }: { mode: Mode }) => (
  <Tag kind={mode === 'unavailable' ? 'warning' : 'good'}>{modeNames[mode]}</Tag>
)
