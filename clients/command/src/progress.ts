import type { Progress } from '@tollway/client'

const barColumns = 24

/** `reading  [######------------------]  25%  5 of 20` */
export function progressLine({ phase, percent, done, total }: Progress): string {
  const filled = Math.round((Math.min(100, Math.max(0, percent)) / 100) * barColumns)
  const bar = `${'#'.repeat(filled)}${'-'.repeat(barColumns - filled)}`
  const count = total > 0 ? `  ${done} of ${total}` : ''
  return `${phase}  [${bar}] ${String(Math.round(percent)).padStart(3)}%${count}`
}
